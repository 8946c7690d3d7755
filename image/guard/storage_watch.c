/*
 * The worker that looks at the disk: says how full it is, cancels who would fill it, and asks for checkpoints, which let
 * WAL go.
 */
#include "postgres.h"

#include <signal.h>
#include <sys/statvfs.h>

#include "access/xlog.h"
#include "access/xlogrecovery.h"
#include "catalog/pg_authid_d.h"
#include "catalog/pg_database_d.h"
#include "miscadmin.h"
#include "postmaster/bgworker.h"
#include "postmaster/bgwriter.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/guc.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "storage.h"

#define MIB UINT64CONST(1048576)
#define GIB (1024 * MIB)

/*
 * What is critical has to hold what can still be written between two looks and until everybody has noticed: 50 ms and
 * as much again, at 1 GiB/s, are 100 MiB.  Larger disks are faster, and have more services on them.
 */
#define CRITICAL_PART 64
#define CRITICAL_LEAST (128 * MIB)
#define CRITICAL_MOST GIB
/* Faster than this nothing is expected to write; so far away, the next look may be so much later. */
#define WRITES_PER_MS (2 * GIB / 1000)
#define LOOK_AT_LEAST_MS 50
#define LOOK_AT_MOST_MS 500
/* Four segments of WAL since the last checkpoint began are worth another one, which lets older ones go. */
#define WAL_WORTH_CHECKPOINT (64 * MIB)
#define CHECKPOINT_AT_MOST_EVERY_MS 250
/* A disk without room for more files is as full as one without room for more bytes. */
#define FILES_LEAST 256

PGDLLEXPORT void howdah_storage_watch(Datum unused) pg_attribute_noreturn();

/* ---- The disk ---- */

bool
storage_read_disk(Disk *disk)
{
	struct statvfs file_system;

	if (statvfs(DataDir, &file_system) != 0)
		return false;
	disk->total = (uint64) file_system.f_blocks * file_system.f_frsize;
	disk->available = (uint64) file_system.f_bavail * file_system.f_frsize;
	if (file_system.f_files > 0 && file_system.f_favail < FILES_LEAST)
		disk->available = 0;
	return true;
}

static uint64
critical_bytes(const Disk *disk)
{
	return Min(Max(disk->total / CRITICAL_PART, CRITICAL_LEAST), CRITICAL_MOST);
}

/* What is low has room to free space in; on the way up a quarter more is asked for, or the level would flicker. */
Level
storage_level_of(const Disk *disk, Level before)
{
	uint64		critical = critical_bytes(disk);
	uint64		enough = 2 * critical;

	if (disk->available < (before == CRITICAL ? critical + critical / 4 : critical))
		return CRITICAL;
	return disk->available < (before == ENOUGH ? enough : enough + enough / 4) ? LOW : ENOUGH;
}

/* ---- The worker ---- */

static void
cancel(bool everybody)
{
	int			cancelled = 0;

	/* Whoever is in the list stays in it, and keeps its process id, as long as this is held. */
	LWLockAcquire(ProcArrayLock, LW_SHARED);
	for (int i = 0; i < MaxBackends; i++)
	{
		PGPROC	   *proc = &ProcGlobal->allProcs[i];
		Session    *session = &storage->sessions[i];

		if (proc->pid == 0 || proc->pid == MyProcPid || proc->databaseId == InvalidOid ||
			proc->databaseId == PostgresDbOid || proc->roleId == BOOTSTRAP_SUPERUSERID)
			continue;
		if (session->freeing || !(everybody || TransactionIdIsValid(proc->xid)))
			continue;
		session->cancelled = true;
		if (kill(proc->pid, SIGINT) == 0)
			cancelled++;
	}
	LWLockRelease(ProcArrayLock);
	if (cancelled > 0)
		elog(DEBUG1, "signalled %d sessions because the disk is almost full", cancelled);
}

static bool
is_checkpoint_worth(void)
{
	XLogRecPtr	end = RecoveryInProgress() ? GetXLogReplayRecPtr(NULL) : GetInsertRecPtr();
	XLogRecPtr	redo = GetRedoRecPtr();

	return end > redo && end - redo >= WAL_WORTH_CHECKPOINT;
}

/* Returns after how many milliseconds to look again. */
static long
look(void)
{
	static uint64 available_before = PG_UINT64_MAX;
	static TimestampTz checkpoint_at = 0;
	Level		before = storage_level();
	Level		level;
	Disk		disk;
	uint64		critical;
	TimestampTz now = GetCurrentTimestamp();

	if (!storage_read_disk(&disk))
		return LOOK_AT_MOST_MS;
	critical = critical_bytes(&disk);
	level = storage_level_of(&disk, before);
	pg_atomic_write_u32(&storage->level, level);
	if (level != before)
		ereport(LOG,
				(errmsg("storage is %s: %llu of %llu MB are left", storage_level_name(level),
						(unsigned long long) (disk.available / MIB), (unsigned long long) (disk.total / MIB))));

	if (level == CRITICAL)
		cancel(disk.available < critical / 2 && disk.available < available_before);
	if (level != ENOUGH && (before == ENOUGH || is_checkpoint_worth()) &&
		TimestampDifferenceExceeds(checkpoint_at, now, CHECKPOINT_AT_MOST_EVERY_MS))
	{
		checkpoint_at = now;
		RequestCheckpoint(CHECKPOINT_IMMEDIATE);
	}
	available_before = disk.available;
	if (disk.available <= critical)
		return LOOK_AT_LEAST_MS;
	return Min(Max((disk.available - critical) / WRITES_PER_MS, LOOK_AT_LEAST_MS), LOOK_AT_MOST_MS);
}

void
howdah_storage_watch(Datum unused)
{
	pqsignal(SIGTERM, SignalHandlerForShutdownRequest);
	BackgroundWorkerUnblockSignals();
	while (!ShutdownRequestPending)
	{
		long		pause_ms = look();

		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, pause_ms, PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
	}
	/* Anything but 0, which would mean never to be started again. */
	proc_exit(1);
}

/* ---- Loading ---- */

/* What is kept of WAL for others is at most this part of the disk, whatever the configuration says of larger ones. */
void
storage_bound_wal(void)
{
	static const struct
	{
		const char *name;
		const int  *value_mb;
		int			part;
	}			bounds[] = {
		{"max_slot_wal_keep_size", &max_slot_wal_keep_size_mb, 8},
		{"wal_keep_size", &wal_keep_size_mb, 16},
		{"min_wal_size", &min_wal_size_mb, 16},
	};
	Disk		disk;

	if (!storage_read_disk(&disk))
		return;
	for (int i = 0; i < lengthof(bounds); i++)
	{
		uint64		most_mb = disk.total / MIB / bounds[i].part;

		if (*bounds[i].value_mb >= 0 && most_mb >= *bounds[i].value_mb)
			continue;
		SetConfigOption(bounds[i].name, psprintf("%d", (int) Max(most_mb, 32)), PGC_POSTMASTER, PGC_S_OVERRIDE);
	}
	/* Segments that are kept to be used again would be the larger part of a small disk. */
	if (disk.total / MIB / 8 < max_wal_size_mb)
		SetConfigOption("wal_recycle", "off", PGC_POSTMASTER, PGC_S_OVERRIDE);
}

void
storage_watch_register(void)
{
	BackgroundWorker worker = {
		.bgw_name = "howdah storage watch",
		.bgw_type = "howdah storage watch",
		.bgw_flags = BGWORKER_SHMEM_ACCESS,
		.bgw_start_time = BgWorkerStart_PostmasterStart,
		.bgw_restart_time = 1,
		.bgw_library_name = "howdah_guard",
		.bgw_function_name = "howdah_storage_watch",
	};

	RegisterBackgroundWorker(&worker);
}
