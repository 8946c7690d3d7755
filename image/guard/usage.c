/*
 * What howdah's monitor is told of a server beside what PostgreSQL knows: how many statements clients have sent, and how
 * much room the disk has.
 *
 * Each session counts for itself in its place in shared memory, which the next one with that place goes on with; so
 * counting costs an addition, and whoever asks adds them up.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "storage/proc.h"

#include "howdah_guard.h"
#include "storage.h"

static char *usage_setting = NULL;
static int	depth = 0;

static ExecutorFinish_hook_type previous_executor_finish = NULL;

/* Ahead of each statement; those inside of others are not what a client has sent. */
void
usage_count_statement(void)
{
	if (depth == 0 && storage_is_tenant())
		storage->sessions[MyProcNumber].statements++;
}

void
usage_enter_statement(void)
{
	depth++;
}

void
usage_leave_statement(void)
{
	depth--;
}

/* Triggers run here. */
static void
guard_executor_finish(QueryDesc *queryDesc)
{
	usage_enter_statement();
	PG_TRY();
	{
		if (previous_executor_finish)
			previous_executor_finish(queryDesc);
		else
			standard_ExecutorFinish(queryDesc);
	}
	PG_FINALLY();
	{
		usage_leave_statement();
	}
	PG_END_TRY();
}

static const char *
show_usage(void)
{
	static char text[128];
	uint64		statements = 0;
	Disk		disk;

	if (storage == NULL || !storage_read_disk(&disk))
		return "";
	for (int i = 0; i < MaxBackends; i++)
		statements += storage->sessions[i].statements;
	snprintf(text, sizeof(text), "{\"queries\": %llu, \"disk_total\": %llu, \"disk_available\": %llu}",
			 (unsigned long long) statements, (unsigned long long) disk.total, (unsigned long long) disk.available);
	return text;
}

void
usage_init(void)
{
	DefineCustomStringVariable("howdah.usage",
							   "What the monitor is told of this server.",
							   NULL, &usage_setting, "", PGC_INTERNAL,
							   GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE | GUC_SUPERUSER_ONLY,
							   NULL, NULL, show_usage);
	previous_executor_finish = ExecutorFinish_hook;
	ExecutorFinish_hook = guard_executor_finish;
}
