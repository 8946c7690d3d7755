/*
 * howdah_guard: read-only roles and read-only connections that stay so.
 *
 * PostgreSQL's own read-only transactions are a convenience: whoever runs one may leave it.  Once one of the two
 * settings below is on in a session, every transaction of it is read-only, and nothing that the session can say
 * changes that.
 *
 *	tsdb_admin.read_only_role		for a role or a database, by ALTER ... SET
 *	tsdb_admin.read_only_connection	for the session that asks for it
 *
 * What is in force lives in variables of this file and not in those of the settings, because a rollback takes a
 * setting back to what it was.
 *
 * A pooler shares one session of the server among many clients, so there a read-only connection ends with the client
 * that asked for it (pooler_pass.c), and the setting of a role counts from when it is changed (role_setting.c).
 *
 * A disk that runs full makes everybody's transactions read-only, as a default that can be left (storage.c).
 *
 * The same library counts statements (usage.c), and keeps passwords out of the log (log_secrets.c).
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/backend_status.h"
#include "utils/guc_tables.h"
#include "utils/memutils.h"

#include "howdah_guard.h"

PG_MODULE_MAGIC;

static bool role_setting = false;
static bool connection_setting = false;

static bool role_locked = false;
static bool connection_locked = false;
/* default_transaction_read_only as it was before it was forced. */
static bool default_before = false;

static bool session_examined = false;
static bool transaction_examined = false;
static bool end_awaited = false;
static bool activity_hidden = false;
static bool activity_tracked = false;

static ExecutorStart_hook_type previous_executor_start = NULL;
static ExecutorRun_hook_type previous_executor_run = NULL;
static ProcessUtility_hook_type previous_process_utility = NULL;
static GucBoolCheckHook previous_check_transaction = NULL;

static bool
is_read_only(void)
{
	return role_locked || connection_locked;
}

/* ---- What is in force ---- */

static void
enforce(void)
{
	XactReadOnly = true;
	DefaultXactReadOnly = true;
}

static void
change_locks(bool role, bool connection)
{
	bool		was_read_only = is_read_only();

	role_locked = role;
	connection_locked = connection;
	pooler_pass_withhold(connection_locked);
	if (is_read_only() && !was_read_only)
		default_before = DefaultXactReadOnly;
	if (is_read_only() && IsTransactionState())
		enforce();
	if (!is_read_only() && was_read_only)
		DefaultXactReadOnly = default_before;
}

/*
 * The statement with which a pooler presents its pass would be seen in pg_stat_activity by every session of the same
 * role.  A pooled session that is read-only therefore stops telling what it runs before the next message is read,
 * and tells it again once that has turned out to be something else.
 */
static void
hide_activity(void)
{
	if (activity_hidden)
		return;
	activity_tracked = pgstat_track_activities;
	pgstat_track_activities = false;
	activity_hidden = true;
}

static void
show_activity(void)
{
	if (!activity_hidden)
		return;
	pgstat_track_activities = activity_tracked;
	activity_hidden = false;
	if (connection_locked)
		pgstat_report_activity(STATE_RUNNING, debug_query_string);
}

/* ---- The settings ---- */

static bool
is_for_all_sessions(GucSource source)
{
	return source == PGC_S_TEST || (source > PGC_S_DYNAMIC_DEFAULT && source < PGC_S_CLIENT);
}

static bool
check_role(bool *newval, void **extra, GucSource source)
{
	if (InitializingParallelWorker || is_for_all_sessions(source))
		return true;
	if (!*newval && role_locked)
	{
		GUC_check_errcode(ERRCODE_INSUFFICIENT_PRIVILEGE);
		GUC_check_errmsg("a session of a read-only role cannot be made writable");
		return false;
	}
	if (*newval && is_pooled())
	{
		GUC_check_errmsg("\"%s\" cannot be set in a session that a pooler shares", READ_ONLY_ROLE);
		GUC_check_errhint("Set it with ALTER ROLE, or set \"%s\".", READ_ONLY_CONNECTION);
		return false;
	}
	return true;
}

static void
assign_role(bool newval, void *extra)
{
	/* TimescaleDB's scheduler runs as the superuser in every database; a tenant's setting is not meant for it. */
	if (AmBackgroundWorkerProcess() && GetSessionUserIsSuperuser())
		return;
	if (newval)
		change_locks(true, connection_locked);
}

static const char *
show_role(void)
{
	return role_locked ? "on" : "off";
}

static bool
check_connection(bool *newval, void **extra, GucSource source)
{
	if (InitializingParallelWorker)
		return true;
	if (is_for_all_sessions(source))
	{
		GUC_check_errmsg("\"%s\" is for one session only", READ_ONLY_CONNECTION);
		GUC_check_errhint("Use \"%s\" for a role or a database.", READ_ONLY_ROLE);
		return false;
	}
	if (!*newval && connection_locked && !pooler_pass_presented)
	{
		GUC_check_errcode(ERRCODE_INSUFFICIENT_PRIVILEGE);
		GUC_check_errmsg("a read-only connection cannot be made writable");
		return false;
	}
	return true;
}

/* Also called to roll back, where turning off means nothing unless the pass is there. */
static void
assign_connection(bool newval, void *extra)
{
	if (newval)
		change_locks(role_locked, true);
	else if (pooler_pass_presented)
	{
		change_locks(role_locked, false);
		show_activity();
	}
}

static const char *
show_connection(void)
{
	return connection_locked ? "on" : "off";
}

/* So that no way of setting it, not even before a transaction's first query, makes a transaction writable. */
static bool
check_transaction(bool *newval, void **extra, GucSource source)
{
	if (!*newval && is_read_only() && !InitializingParallelWorker)
	{
		GUC_check_errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION);
		GUC_check_errmsg("cannot set transaction read-write mode in a read-only session");
		return false;
	}
	return previous_check_transaction == NULL || previous_check_transaction(newval, extra, source);
}

/* ---- Transactions ---- */

static bool
runs_sql(void)
{
	return AmRegularBackendProcess() || AmBackgroundWorkerProcess();
}

/*
 * After the settings have been rolled back or kept, and before the next transaction begins, which in a procedure does
 * not wait for a statement.
 */
static void
after_transaction(void *arg)
{
	end_awaited = false;
	transaction_examined = false;
	pooler_pass_presented = false;
	if (is_read_only())
		DefaultXactReadOnly = true;
	if (is_pooled() && connection_locked)
		hide_activity();
	pooler_pass_report();
}

static void
on_transaction(XactEvent event, void *arg)
{
	static MemoryContextCallback callback = {.func = after_transaction};

	switch (event)
	{
		case XACT_EVENT_PRE_COMMIT:
		case XACT_EVENT_PRE_PREPARE:
			if (!session_examined)
				pooler_pass_make();
			session_examined = true;
			/* The net below everything else.  A session that ends still has its temporary tables to remove. */
			if (is_read_only() && runs_sql() && !proc_exit_inprogress &&
				TransactionIdIsValid(GetTopTransactionIdIfAny()))
				ereport(ERROR,
						(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
						 errmsg("cannot commit a transaction that may have written in a read-only session")));
			break;
		case XACT_EVENT_COMMIT:
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PREPARE:
			role_setting_end_transaction(event == XACT_EVENT_COMMIT);
			storage_end_transaction();
			if (!end_awaited && (is_read_only() || is_pooled()))
			{
				MemoryContextRegisterResetCallback(TopTransactionContext, &callback);
				end_awaited = true;
			}
			break;
		default:
			break;
	}
}

/* ---- Statements ---- */

/* Ahead of a transaction's first statement, while nothing but its default says whether it is read-only. */
static void
examine_transaction(void)
{
	bool		was_read_only = is_read_only();

	transaction_examined = true;
	if (!role_setting_is_stale())
		return;
	change_locks(role_setting_read(), connection_locked);
	if (was_read_only && !is_read_only())
		XactReadOnly = DefaultXactReadOnly || RecoveryInProgress();
}

static void
before_statement(bool shown)
{
	if (is_pooled() && !transaction_examined && IsTransactionState())
		examine_transaction();
	if (!is_read_only())
		return;
	enforce();
	if (shown)
		show_activity();
}

static void
guard_executor_start(QueryDesc *queryDesc, int eflags)
{
	MemoryContext context = CurrentMemoryContext;

	before_statement(true);
	usage_count_statement();
	if (!(eflags & EXEC_FLAG_EXPLAIN_ONLY))
		storage_before_statement((Node *) queryDesc->plannedstmt);
	PG_TRY();
	{
		if (previous_executor_start)
			previous_executor_start(queryDesc, eflags);
		else
			standard_ExecutorStart(queryDesc, eflags);
	}
	PG_CATCH();
	{
		storage_explain_error(context);
		PG_RE_THROW();
	}
	PG_END_TRY();
}

static void
guard_executor_run(QueryDesc *queryDesc, ScanDirection direction, uint64 count, bool execute_once)
{
	MemoryContext context = CurrentMemoryContext;

	usage_enter_statement();
	PG_TRY();
	{
		if (previous_executor_run)
			previous_executor_run(queryDesc, direction, count, execute_once);
		else
			standard_ExecutorRun(queryDesc, direction, count, execute_once);
	}
	PG_CATCH();
	{
		usage_leave_statement();
		storage_explain_error(context);
		PG_RE_THROW();
	}
	PG_END_TRY();
	usage_leave_statement();
}

/* PostgreSQL lets these pass, because a dump would look the same afterwards. */
static bool
is_maintenance(Node *statement)
{
	return IsA(statement, VacuumStmt) || IsA(statement, ClusterStmt) || IsA(statement, ReindexStmt);
}

static void
guard_process_utility(PlannedStmt *pstmt, const char *queryString, bool readOnlyTree,
					  ProcessUtilityContext level, ParamListInfo params, QueryEnvironment *queryEnv,
					  DestReceiver *dest, QueryCompletion *qc)
{
	Node	   *statement = pstmt->utilityStmt;
	MemoryContext context = CurrentMemoryContext;

	before_statement(!IsA(statement, VariableSetStmt));
	if (is_read_only() && is_maintenance(statement))
		PreventCommandIfReadOnly(CreateCommandName(statement));
	if (IsA(statement, AlterRoleSetStmt) || IsA(statement, AlterDatabaseSetStmt))
		role_setting_changing();
	storage_before_statement(statement);
	usage_count_statement();

	usage_enter_statement();
	PG_TRY();
	{
		if (previous_process_utility)
			previous_process_utility(pstmt, queryString, readOnlyTree, level, params, queryEnv, dest, qc);
		else
			standard_ProcessUtility(pstmt, queryString, readOnlyTree, level, params, queryEnv, dest, qc);
	}
	PG_CATCH();
	{
		usage_leave_statement();
		storage_explain_error(context);
		PG_RE_THROW();
	}
	PG_END_TRY();
	usage_leave_statement();
}

/* ---- Loading ---- */

static void
define_settings(void)
{
	/* Not GUC_NO_RESET, which would forbid ALTER ROLE ... RESET as well; a session's own RESET changes nothing. */
	DefineCustomBoolVariable(READ_ONLY_ROLE,
							 "Makes every session of a role read-only.",
							 NULL, &role_setting, false, PGC_SUSET,
							 GUC_NO_RESET_ALL | GUC_NOT_IN_SAMPLE,
							 check_role, assign_role, show_role);
	DefineCustomBoolVariable(READ_ONLY_CONNECTION,
							 "Makes this session read-only, for as long as it lasts.",
							 NULL, &connection_setting, false, PGC_USERSET,
							 GUC_NO_RESET | GUC_NO_RESET_ALL | GUC_REPORT | GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE,
							 check_connection, assign_connection, show_connection);
	MarkGUCPrefixReserved("tsdb_admin");
}

void
_PG_init(void)
{
	struct config_bool *transaction;

	if (!process_shared_preload_libraries_in_progress)
		ereport(ERROR, (errmsg("howdah_guard has to be loaded by shared_preload_libraries")));

	define_settings();
	storage_init();
	usage_init();
	log_secrets_init();
	pooler_pass_define();
	role_setting_init();

	transaction = (struct config_bool *) find_option("transaction_read_only", false, false, ERROR);
	previous_check_transaction = transaction->check_hook;
	transaction->check_hook = check_transaction;

	previous_executor_start = ExecutorStart_hook;
	ExecutorStart_hook = guard_executor_start;
	previous_executor_run = ExecutorRun_hook;
	ExecutorRun_hook = guard_executor_run;
	previous_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = guard_process_utility;
	RegisterXactCallback(on_transaction, NULL);
}
