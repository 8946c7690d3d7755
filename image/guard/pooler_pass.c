/*
 * How a pooler makes a read-only connection writable again, for a client that did not ask for a read-only one.
 *
 * A connection of a pooler is known by the certificate that the pooler presents.  It is told a pass as the value of
 * howdah.pooler_pass.  PgBouncer tracks that parameter: every client is given the value that PgBouncer learned when it
 * connected, and wherever the server shows another one, PgBouncer sets the client's ahead of the client's own
 * settings.  The server shows none while it is read-only, and a read-only connection becomes writable only in the
 * transaction that has presented the pass.
 *
 * Nothing that runs inside a read-only connection can read the pass.  A client that may connect can: it could as well
 * have asked for a writable connection.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "commands/dbcommands.h"
#include "common/hmac.h"
#include "common/sha2.h"
#include "libpq/pqformat.h"
#include "libpq/protocol.h"
#include "miscadmin.h"
#include "tcop/tcopprot.h"
#include "utils/backend_status.h"
#include "utils/guc.h"

#include "howdah_guard.h"

#define POOLER_KEY "howdah.pooler_key"
#define POOLER_PASS "howdah.pooler_pass"
#define NO_PASS "none"
/* As pg_stat_ssl shows it. */
#define POOLER_SUBJECT "/CN=howdah-pooler"
/* PgBouncer wants a parameter's name and value together to fit into 64 bytes. */
#define PASS_BYTES 16

/* Whether the pass has been presented in this transaction. */
bool		pooler_pass_presented = false;

static char *key_setting = NULL;
static char *pass_setting = NULL;

/* Empty unless this session is a pooler's. */
static char pass[PASS_BYTES * 2 + 1] = "";
static bool is_withheld = false;
static const char *reported = NULL;

bool
is_pooled(void)
{
	return pass[0] != '\0';
}

static const char *
show_pass(void)
{
	return is_pooled() && is_withheld ? NO_PASS : pass;
}

void
pooler_pass_withhold(bool withheld)
{
	is_withheld = withheld;
}

/*
 * Presenting the pass takes effect here, and leaves no value behind: what the setting held could come back by a
 * rollback, and would then count as presented again.
 */
static bool
check_pass(char **newval, void **extra, GucSource source)
{
	if (InitializingParallelWorker || source == PGC_S_DEFAULT)
		return true;
	if (source == PGC_S_SESSION && is_pooled() && strlen(*newval) == strlen(pass) &&
		timingsafe_bcmp(*newval, pass, strlen(pass)) == 0)
		pooler_pass_presented = true;
	else if (strcmp(*newval, NO_PASS) != 0)
	{
		GUC_check_errcode(ERRCODE_INSUFFICIENT_PRIVILEGE);
		GUC_check_errmsg("not the pass of this session's pooler");
		return false;
	}
	guc_free(*newval);
	*newval = guc_strdup(LOG, "");
	return *newval != NULL;
}

/*
 * At the end of a session's first transaction, in which its client was authenticated.  The pass is made from a secret
 * that all members of a service share, so that it outlives a failover, and for one role and one database, as
 * PgBouncer's pools are.
 */
void
pooler_pass_make(void)
{
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	char	   *user;
	char	   *database;
	pg_hmac_ctx *hmac;

	if (!AmRegularBackendProcess() || key_setting[0] == '\0' || MyBEEntry == NULL || !MyBEEntry->st_ssl ||
		strcmp(MyBEEntry->st_sslstatus->ssl_client_dn, POOLER_SUBJECT) != 0)
		return;

	user = GetUserNameFromId(GetSessionUserId(), false);
	database = get_database_name(MyDatabaseId);
	hmac = pg_hmac_create(PG_SHA256);
	if (hmac == NULL || database == NULL ||
		pg_hmac_init(hmac, (const uint8 *) key_setting, strlen(key_setting)) < 0 ||
		pg_hmac_update(hmac, (const uint8 *) user, strlen(user) + 1) < 0 ||
		pg_hmac_update(hmac, (const uint8 *) database, strlen(database)) < 0 ||
		pg_hmac_final(hmac, digest, sizeof(digest)) < 0)
		ereport(FATAL, (errmsg("could not make the pass of a pooler")));
	pg_hmac_free(hmac);
	for (int i = 0; i < PASS_BYTES; i++)
		snprintf(pass + 2 * i, 3, "%02x", digest[i]);
	reported = show_pass();
}

/* What is shown follows another setting, of which PostgreSQL's own reports know nothing. */
void
pooler_pass_report(void)
{
	StringInfoData message;

	if (!is_pooled() || whereToSendOutput != DestRemote || reported == show_pass())
		return;
	reported = show_pass();
	pq_beginmessage(&message, PqMsg_ParameterStatus);
	pq_sendstring(&message, POOLER_PASS);
	pq_sendstring(&message, reported);
	pq_endmessage(&message);
}

void
pooler_pass_define(void)
{
	DefineCustomStringVariable(POOLER_KEY,
							   "Secret from which the passes of poolers are made.",
							   NULL, &key_setting, "", PGC_POSTMASTER,
							   GUC_SUPERUSER_ONLY | GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE,
							   NULL, NULL, NULL);
	DefineCustomStringVariable(POOLER_PASS,
							   "What lets a pooler make a connection writable for its next client.",
							   NULL, &pass_setting, "", PGC_USERSET,
							   GUC_REPORT | GUC_SUPERUSER_ONLY | GUC_NO_SHOW_ALL | GUC_NO_RESET | GUC_NO_RESET_ALL |
							   GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE,
							   check_pass, NULL, show_pass);
	MarkGUCPrefixReserved("howdah");
}
