/*
 * A disk that runs full: writes end before PostgreSQL's own do.
 *
 * A data file that cannot grow costs PostgreSQL a statement.  A WAL segment that cannot be made costs it the server, and
 * the recovery after that needs room again.  So a worker looks at what is left of the disk, and says how it stands:
 *
 *	enough		nothing is different
 *	low			the transactions of tenants begin read-only; who says READ WRITE may still write, to free space
 *	critical	what takes room is refused, and what has written is cancelled while it runs; TRUNCATE and DROP still go
 *
 * Reads go on.  Only far down in the critical part, and only while the disk still gets fuller, they are cancelled too: a
 * sort that spills, or the first look at pages after they were loaded, which writes WAL.
 *
 * Who looks, and what it does about those who run, is in storage_watch.c; here is what a session does of itself.
 *
 * Autovacuum, jobs of extensions, and whatever is Howdah's own begin as ever: some of it frees space, or tells of it.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_authid_d.h"
#include "catalog/pg_database_d.h"
#include "miscadmin.h"
#include "nodes/plannodes.h"
#include "storage/ipc.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/guc_tables.h"

#include "howdah_guard.h"
#include "storage.h"

static const char *const LEVEL_NAMES[] = {"enough", "low", "critical"};

Storage    *storage = NULL;

static shmem_request_hook_type previous_shmem_request = NULL;
static shmem_startup_hook_type previous_shmem_startup = NULL;
static struct config_bool *default_read_only = NULL;
static char *level_setting = NULL;

/* Of this transaction. */
static bool is_examined = false;
static bool is_imposed = false;

Level
storage_level(void)
{
	return pg_atomic_read_u32(&storage->level);
}

const char *
storage_level_name(Level level)
{
	return LEVEL_NAMES[level];
}

static const char *
show_level(void)
{
	return LEVEL_NAMES[storage_level()];
}

/* ---- Sessions ---- */

/* The superuser is ours alone, and so is the database postgres. */
bool
storage_is_tenant(void)
{
	return AmRegularBackendProcess() && GetSessionUserId() != BOOTSTRAP_SUPERUSERID && MyDatabaseId != PostgresDbOid;
}

/* Asked for in so many words, by SET in this session; nobody has that by default. */
static bool
wants_to_write(void)
{
	return !DefaultXactReadOnly && default_read_only->gen.source == PGC_S_SESSION;
}

static bool
takes_room(Node *statement)
{
	switch (nodeTag(statement))
	{
		case T_PlannedStmt:
			{
				PlannedStmt *planned = (PlannedStmt *) statement;

				return planned->hasModifyingCTE || planned->commandType == CMD_INSERT ||
					planned->commandType == CMD_UPDATE || planned->commandType == CMD_MERGE;
			}
		case T_CopyStmt:
			return ((CopyStmt *) statement)->is_from;
		case T_CreateTableAsStmt:
		case T_RefreshMatViewStmt:
		case T_IndexStmt:
			return true;
		default:
			return false;
	}
}

/* These take next to nothing, but may wait for a lock with a transaction's id. */
static bool
frees_room(Node *statement)
{
	return IsA(statement, TruncateStmt) || IsA(statement, DropStmt);
}

/*
 * Ahead of each statement; planned ones come as such, utilities as what they are.  A read-only transaction is only
 * ever its default here, which PostgreSQL itself lets go of where READ WRITE is said before the first query.
 */
void
storage_before_statement(Node *statement)
{
	Level		level = storage_level();
	Session    *session;

	if (!storage_is_tenant() || !IsTransactionState())
		return;
	session = &storage->sessions[MyProcNumber];
	session->freeing = frees_room(statement);
	if (!is_examined)
	{
		is_examined = true;
		session->cancelled = false;
		is_imposed = level != ENOUGH && !XactReadOnly && !wants_to_write() &&
			!TransactionIdIsValid(GetTopTransactionIdIfAny());
		if (is_imposed)
			XactReadOnly = true;
	}
	if (level == CRITICAL && !XactReadOnly && takes_room(statement))
		ereport(ERROR,
				(errcode(ERRCODE_DISK_FULL),
				 errmsg("cannot write because the disk is almost full"),
				 errhint("TRUNCATE and DROP free space; what deletes rows has to do so in small parts.")));
}

void
storage_end_transaction(void)
{
	if (!is_examined)
		return;
	is_examined = false;
	is_imposed = false;
	storage->sessions[MyProcNumber].freeing = false;
}

/*
 * For PG_CATCH: says of an error that comes from here why it came.  Returns where it does not.
 *
 * context is where memory was taken before the error.
 */
void
storage_explain_error(MemoryContext context)
{
	bool		refused = is_imposed && XactReadOnly && geterrcode() == ERRCODE_READ_ONLY_SQL_TRANSACTION;
	bool		cancelled = geterrcode() == ERRCODE_QUERY_CANCELED && storage_is_tenant() &&
		storage->sessions[MyProcNumber].cancelled;
	ErrorData  *error;

	if (!refused && !cancelled)
		return;
	MemoryContextSwitchTo(context);
	error = CopyErrorData();
	FlushErrorState();
	error->sqlerrcode = ERRCODE_DISK_FULL;
	error->message = refused ? psprintf("%s, because the disk is almost full", error->message) :
		pstrdup("canceling statement because the disk is almost full");
	error->hint = pstrdup("Transactions are read-only until there is more room. "
						  "To free space, begin one with BEGIN READ WRITE.");
	ReThrowError(error);
}

/* ---- Loading ---- */

static Size
storage_size(void)
{
	return add_size(offsetof(Storage, sessions), mul_size(MaxBackends, sizeof(Session)));
}

static void
request_shared_memory(void)
{
	if (previous_shmem_request)
		previous_shmem_request();
	RequestAddinShmemSpace(storage_size());
}

/* Said before anybody can connect, so that a server that starts on a full disk takes no writes at all. */
static void
attach_shared_memory(void)
{
	bool		found;
	Disk		disk;

	if (previous_shmem_startup)
		previous_shmem_startup();
	storage = ShmemInitStruct("howdah_guard storage", storage_size(), &found);
	if (found)
		return;
	memset(storage, 0, storage_size());
	pg_atomic_init_u32(&storage->level, storage_read_disk(&disk) ? storage_level_of(&disk, ENOUGH) : ENOUGH);
}

void
storage_init(void)
{
	DefineCustomStringVariable("howdah.storage",
							   "How much room the disk has: enough, low or critical.",
							   NULL, &level_setting, "", PGC_INTERNAL,
							   GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE,
							   NULL, NULL, show_level);
	default_read_only =
		(struct config_bool *) find_option("default_transaction_read_only", false, false, ERROR);
	previous_shmem_request = shmem_request_hook;
	shmem_request_hook = request_shared_memory;
	previous_shmem_startup = shmem_startup_hook;
	shmem_startup_hook = attach_shared_memory;
	storage_watch_register();
	storage_bound_wal();
}
