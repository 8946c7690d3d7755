/*
 * tsdb_admin.read_only_role in the sessions of a pooler.
 *
 * A setting of a role is given to a session as it begins.  A session that a pooler shares began before those of the
 * pooler's clients, so there the setting is read again wherever somebody has changed a setting of any role or database.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_db_role_setting.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/ipc.h"
#include "storage/shmem.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"

#include "howdah_guard.h"

static shmem_request_hook_type previous_shmem_request = NULL;
static shmem_startup_hook_type previous_shmem_startup = NULL;

/* How many transactions have changed settings of roles or databases. */
static pg_atomic_uint64 *changes = NULL;
static uint64 changes_seen = 0;
static bool is_changing = false;

void
role_setting_changing(void)
{
	is_changing = true;
}

void
role_setting_end_transaction(bool committed)
{
	if (is_changing && committed)
		pg_atomic_fetch_add_u64(changes, 1);
	is_changing = false;
}

bool
role_setting_is_stale(void)
{
	return pg_atomic_read_u64(changes) != changes_seen;
}

static bool
find_setting(Datum settings, bool *value)
{
	Datum	   *items;
	int			count;

	deconstruct_array_builtin(DatumGetArrayTypeP(settings), TEXTOID, &items, NULL, &count);
	for (int i = 0; i < count; i++)
	{
		char	   *item = TextDatumGetCString(items[i]);
		char	   *equals = strchr(item, '=');

		if (equals == NULL)
			continue;
		*equals = '\0';
		if (pg_strcasecmp(item, READ_ONLY_ROLE) == 0)
			return parse_bool(equals + 1, value);
	}
	return false;
}

/* Whether it is set for just this database and this role; the invalid one stands for all of them. */
static bool
read_setting(Relation relation, Oid database, Oid role, bool *value)
{
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		found = false;

	ScanKeyInit(&keys[0], Anum_pg_db_role_setting_setdatabase, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(database));
	ScanKeyInit(&keys[1], Anum_pg_db_role_setting_setrole, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(role));
	scan = systable_beginscan(relation, DbRoleSettingDatidRolidIndexId, true, NULL, 2, keys);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		bool		is_null;
		Datum		settings = heap_getattr(tuple, Anum_pg_db_role_setting_setconfig,
											RelationGetDescr(relation), &is_null);

		found = !is_null && find_setting(settings, value);
	}
	systable_endscan(scan);
	return found;
}

/* What a session of this role and this database that begins now is given; the order is PostgreSQL's. */
bool
role_setting_read(void)
{
	uint64		seen = pg_atomic_read_u64(changes);
	Oid			role = GetSessionUserId();
	Relation	relation = table_open(DbRoleSettingRelationId, AccessShareLock);
	bool		value = false;

	(void) (read_setting(relation, MyDatabaseId, role, &value) ||
			read_setting(relation, InvalidOid, role, &value) ||
			read_setting(relation, MyDatabaseId, InvalidOid, &value) ||
			read_setting(relation, InvalidOid, InvalidOid, &value));
	table_close(relation, AccessShareLock);
	changes_seen = seen;
	return value;
}

static void
request_shared_memory(void)
{
	if (previous_shmem_request)
		previous_shmem_request();
	RequestAddinShmemSpace(sizeof(pg_atomic_uint64));
}

static void
attach_shared_memory(void)
{
	bool		found;

	if (previous_shmem_startup)
		previous_shmem_startup();
	changes = ShmemInitStruct("howdah_guard", sizeof(pg_atomic_uint64), &found);
	if (!found)
		pg_atomic_init_u64(changes, 0);
}

void
role_setting_init(void)
{
	previous_shmem_request = shmem_request_hook;
	shmem_request_hook = request_shared_memory;
	previous_shmem_startup = shmem_startup_hook;
	shmem_startup_hook = attach_shared_memory;
}
