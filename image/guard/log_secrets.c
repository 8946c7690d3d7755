/*
 * Passwords are not written into the log.
 *
 * What a client has said may stand in a log's line: as a statement that is logged, as the statement of an error, as a
 * part of an error's message, as the context of a function, as the value of a parameter.  Where the statement, or the
 * text itself, mentions a password, the statement is left out, and of each text what may have been quoted.
 *
 * A text is cut off at its first quote or at the word itself, whichever comes first: what follows cannot be told apart
 * without parsing, and it is often what cannot be parsed that is logged.  The client is told all of it, as ever.
 */
#include "postgres.h"

#include <ctype.h>

#include "miscadmin.h"
#include "tcop/tcopprot.h"
#include "utils/elog.h"

#include "howdah_guard.h"

#define HIDDEN "[not logged: it mentions a password]"

/* The server's own: whether its collector takes what is written.  No header tells of it. */
extern bool redirection_done;

static emit_log_hook_type previous_emit_log = NULL;

/* Behind the word and what of letters follows, such as "ord"; NULL where it does not occur.  A word begins with a small letter. */
static const char *
find_word(const char *text, const char *word)
{
	size_t		length = strlen(word);

	for (; *text; text++)
	{
		if ((*text | 0x20) != *word || pg_strncasecmp(text, word, length) != 0)
			continue;
		for (text += length; isalpha((unsigned char) *text) || *text == '_';)
			text++;
		return text;
	}
	return NULL;
}

/* The password in user:password@host, after a scheme; NULL where there is none. */
static const char *
find_in_address(const char *text)
{
	const char *scheme = text;

	while ((scheme = strstr(scheme, "://")) != NULL)
	{
		const char *colon = NULL;
		const char *at = scheme += 3;

		for (; *at && *at != '@' && *at != '/' && *at != '\'' && !isspace((unsigned char) *at); at++)
			if (*at == ':' && colon == NULL)
				colon = at;
		if (*at == '@' && colon != NULL)
			return colon + 1;
	}
	return NULL;
}

/* Where a secret may begin; NULL where the text mentions none. */
static const char *
find_mention(const char *text)
{
	static const char *const words[] = {"passw", "pwd", "scram-sha-256$"};
	const char *first = find_in_address(text);

	for (int i = 0; i < lengthof(words); i++)
	{
		const char *found = find_word(text, words[i]);

		if (found != NULL && (first == NULL || found < first))
			first = found;
	}
	return first;
}

/* Of words that the server says itself, such as "password authentication failed", nothing has to be hidden. */
static bool
mentions_value(const char *text)
{
	const char *rest = text == NULL ? NULL : find_mention(text);

	if (rest == NULL)
		return false;
	if (rest == find_in_address(text))
		return true;
	while (isspace((unsigned char) *rest))
		rest++;
	return *rest != '\0' && strchr("='\"$:,()", *rest) != NULL;
}

static char *
cut(char *text, const char *quotes)
{
	const char *end;
	const char *mention;

	if (text == NULL)
		return NULL;
	end = text + strcspn(text, quotes);
	mention = find_mention(text);
	if (mention != NULL && mention < end)
		end = mention;
	if (*end == '\0')
		return text;
	return psprintf("%.*s" HIDDEN, (int) (end - text), text);
}

/* Without what may be a part of a statement. */
static char *
without_quotes(char *text)
{
	return cut(text, "'\"$");
}

/* Nor of a row, which is told in parentheses. */
static char *
without_values(char *text)
{
	return cut(text, "'\"$(");
}

/* What these quote is the name of something, which the statement had to say before any password. */
static bool
quotes_names(int code)
{
	return code == ERRCODE_UNDEFINED_OBJECT || code == ERRCODE_DUPLICATE_OBJECT ||
		code == ERRCODE_INSUFFICIENT_PRIVILEGE || code == ERRCODE_READ_ONLY_SQL_TRANSACTION;
}

/* Messages that consist of a statement: log_statement, log_duration, log_min_duration_statement. */
static bool
is_statement(const ErrorData *error)
{
	return error->elevel == LOG && error->message != NULL &&
		(strstr(error->message, "statement: ") || strncmp(error->message, "duration: ", 10) == 0 ||
		 strncmp(error->message, "execute ", 8) == 0 || strncmp(error->message, "parse ", 6) == 0 ||
		 strncmp(error->message, "bind ", 5) == 0);
}

static bool
is_secret(const char *text)
{
	return text != NULL && find_mention(text) != NULL;
}

/* Whether what was being run mentions a password. */
static bool
runs_secret(const ErrorData *error)
{
	return is_secret(debug_query_string) || is_secret(error->internalquery) || is_secret(error->context) ||
		(is_statement(error) && is_secret(error->message));
}

static bool
has_secret(const ErrorData *error)
{
	return runs_secret(error) || mentions_value(error->message) || mentions_value(error->detail) ||
		mentions_value(error->detail_log) || mentions_value(error->hint);
}

static void
hide(ErrorData *error)
{
	error->hide_stmt = true;
	if (!quotes_names(error->sqlerrcode))
		error->message = without_quotes(error->message);
	error->internalquery = without_quotes(error->internalquery);
	error->detail = without_values(error->detail);
	error->detail_log = without_values(error->detail_log);
	error->hint = without_values(error->hint);
	error->context = without_values(error->context);
}

/*
 * The client would be told what is changed here, so a copy is written, as the server would, and the server writes
 * nothing.  Where the log is not written as JSON, as before its collector runs, the client is told less.
 */
static void
guard_emit_log(ErrorData *error)
{
	if (previous_emit_log)
		previous_emit_log(error);
	if (!error->output_to_server || !has_secret(error))
		return;
	if ((Log_destination & LOG_DESTINATION_JSONLOG) && redirection_done)
	{
		ErrorData	copy = *error;

		hide(&copy);
		write_jsonlog(&copy);
		error->output_to_server = false;
	}
	else
		hide(error);
}

void
log_secrets_init(void)
{
	previous_emit_log = emit_log_hook;
	emit_log_hook = guard_emit_log;
}
