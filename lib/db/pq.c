/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer over libpq; see pq.h.
 */
#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#include "base/clock.h"
#include "db/pq.h"
#include "sys/library_functions.h"

/* The functions of libpq that are used, as members and as names. */
#define FUNCTIONS(X)            \
	X(PQclear)              \
	X(PQconnectPoll)        \
	X(PQconnectStartParams) \
	X(PQconninfo)           \
	X(PQconninfoFree)       \
	X(PQdescribePrepared)   \
	X(PQerrorMessage)       \
	X(PQexec)               \
	X(PQexecParams)         \
	X(PQexecPrepared)       \
	X(PQfinish)             \
	X(PQfname)              \
	X(PQftype)              \
	X(PQgetResult)          \
	X(PQgetisnull)          \
	X(PQgetlength)          \
	X(PQgetvalue)           \
	X(PQnfields)            \
	X(PQnparams)            \
	X(PQntuples)            \
	X(PQpingParams)         \
	X(PQprepare)            \
	X(PQputCopyData)        \
	X(PQputCopyEnd)         \
	X(PQresultErrorField)   \
	X(PQresultMemorySize)   \
	X(PQresultStatus)       \
	X(PQsetNoticeProcessor) \
	X(PQsocket)             \
	X(PQstatus)             \
	X(PQtransactionStatus)

#define MEMBER(name) __typeof__(name) *name;
static struct {
	void *library;
	FUNCTIONS(MEMBER)
} lib;

#define FUNCTION(name) { #name, offsetof(__typeof__(lib), name), false },
static const struct library_function functions[] = { FUNCTIONS(FUNCTION) };

struct pq_connection {
	PGconn *handle;
	char *name;
};

/* A struct pq_result is a PGresult. */
static PGresult *result_of(const struct pq_result *a)
{
	return (PGresult *)a;
}

static int load_library(struct fault *f)
{
	const char *lacks;

	if (lib.library)
		return 0;
	lib.library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
	if (!lib.library)
		return fault_set(f,
		    "PostgreSQL requires libpq, which is not installed (Debian: libpq5)");
	lacks = library_functions_find(lib.library, functions, COUNT(functions), &lib);
	return lacks ? fault_set(f, "libpq.so.5: too old, it lacks %s", lacks) : 0;
}

static void no_notice(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
}

/*
 * Returns whether no host of the URL has an address. A resolver that does not answer may do
 * so later, like a server that refuses connections or is starting.
 */
static bool host_unknown(const char *said)
{
	return strstr(said, "could not translate host name") &&
	       !strstr(said, "Temporary failure") && !strstr(said, "connection to server");
}

/*
 * Classifies why there is no connection. libpq has no codes for this, only messages, in
 * English if no locale is set; messages of the server may be in its language.
 */
static enum pq_failure unreachable(
    const char *const *key, const char *const *value, const char *said)
{
	PGPing ping;

	if (host_unknown(said))
		return PQ_NOWHERE;
	ping = lib.PQpingParams(key, value, 1);
	if (strncmp(said, "invalid ", 8) == 0)
		return PQ_WRONG;
	if (ping == PQPING_NO_RESPONSE || ping == PQPING_REJECT)
		return PQ_LOST;
	if (ping == PQPING_OK && (!strstr(said, "FATAL") || strstr(said, "too many c") ||
	                             strstr(said, "connection slots")))
		return PQ_LOST;
	return PQ_WRONG;
}

/* Returns the time to wait for the server in seconds, which the URL may set. */
static int timeout_of(PGconn *handle)
{
	PQconninfoOption *all = lib.PQconninfo(handle);
	int seconds = 0;

	for (PQconninfoOption *o = all; o && o->keyword; o++)
		if (strcmp(o->keyword, "connect_timeout") == 0 && o->val)
			seconds = (int)strtol(o->val, NULL, 10);
	lib.PQconninfoFree(all);
	return seconds;
}

/*
 * Connects in steps, so that notices of the server are not printed. *late: the server did
 * not answer in time.
 */
static PGconn *connect_to(const char *const *key, const char *const *value, bool *late)
{
	PGconn *handle = lib.PQconnectStartParams(key, value, 1);
	PostgresPollingStatusType next = PGRES_POLLING_WRITING;
	int64_t end_ns;

	*late = false;
	if (!handle || lib.PQstatus(handle) == CONNECTION_BAD)
		return handle;
	lib.PQsetNoticeProcessor(handle, no_notice, NULL);
	end_ns = clock_monotonic_ns() + (int64_t)timeout_of(handle) * 1000000000;
	while (next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING) {
		struct pollfd wait = { .fd = lib.PQsocket(handle),
			.events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT };

		*late = poll(&wait, 1, 1000) == 0 && clock_monotonic_ns() >= end_ns;
		if (*late)
			break;
		if (wait.revents)
			next = lib.PQconnectPoll(handle);
	}
	return handle;
}

static struct pq_connection *connection_new(PGconn *handle, const char *name)
{
	struct pq_connection *pq = mem_zero(1, sizeof(*pq));

	*pq = (struct pq_connection){ handle, str_copy(name) };
	return pq;
}

struct pq_connection *pq_open(const char *url, const char *name, int timeout_s,
    enum pq_failure *failure, struct fault *f)
{
	char seconds[16], *said = NULL;
	/*
	 * Later parameters override earlier ones, so the URL overrides these. A host that
	 * has left the network is noticed within a minute instead of two hours.
	 */
	const char *const key[] = { "fallback_application_name", "connect_timeout",
		"keepalives_idle", "keepalives_interval", "keepalives_count",
		"tcp_user_timeout", "dbname", "client_encoding", NULL };
	const char *const value[] = { "bench-store", seconds, "30", "10", "3", "60000", url,
		"UTF8", NULL };
	bool same = false, late;

	*failure = PQ_WRONG;
	if (load_library(f) < 0)
		return NULL;
	snprintf(seconds, sizeof(seconds), "%d", timeout_s);
	/*
	 * Tries twice: a server that was shutting down gives another reason the second
	 * time.
	 */
	for (int i = 0; i < 2 && *failure == PQ_WRONG; i++) {
		PGconn *handle = connect_to(key, value, &late);
		const char *now;

		if (handle && lib.PQstatus(handle) == CONNECTION_OK) {
			free(said);
			return connection_new(handle, name);
		}
		now = handle && !late ? lib.PQerrorMessage(handle) : "no answer in time";
		same = said && strcmp(said, now) == 0;
		free(said);
		said = str_copy(now);
		lib.PQfinish(handle);
		*failure = late ? PQ_LOST : unreachable(key, value, said);
	}
	if (!same && *failure == PQ_WRONG)
		*failure = PQ_LOST;
	/* libpq's message about a malformed URL may contain the password. */
	if (strstr(said, "://"))
		fault_set(f, "%s: not a URL that libpq can read", name);
	else
		pq_set_message(name, said, f);
	free(said);
	return NULL;
}

void pq_close(struct pq_connection *pq)
{
	if (!pq)
		return;
	lib.PQfinish(pq->handle);
	free(pq->name);
	free(pq);
}

bool pq_in_transaction(const struct pq_connection *pq)
{
	PGTransactionStatusType s = lib.PQtransactionStatus(pq->handle);

	return s == PQTRANS_INTRANS || s == PQTRANS_INERROR;
}

/*
 * Returns why a statement failed, from its SQLSTATE or, without one, from the connection.
 */
static enum pq_failure failure_of(const struct pq_connection *pq, const PGresult *r)
{
	const char *state = r ? lib.PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL;
	enum pq_failure known = pq_failure_of_sqlstate(state);

	if (known != PQ_FINE)
		return known;
	/*
	 * An error without SQLSTATE is from libpq: the connection is lost, even if its
	 * status is still good because only a write failed.
	 */
	return !state || lib.PQstatus(pq->handle) == CONNECTION_BAD ? PQ_LOST : PQ_WRONG;
}

/*
 * Returns the result if the statement succeeded; otherwise NULL, *failure and the
 * message.
 */
static struct pq_result *checked_result(
    const struct pq_connection *pq, PGresult *r, enum pq_failure *failure, struct fault *f)
{
	ExecStatusType status = r ? lib.PQresultStatus(r) : PGRES_FATAL_ERROR;
	const char *text = NULL;

	*failure = PQ_FINE;
	if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK ||
	    status == PGRES_EMPTY_QUERY)
		return (struct pq_result *)r;
	*failure = failure_of(pq, r);
	if (r)
		text = lib.PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
	if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT) {
		*failure = PQ_WRONG;
		text = "COPY is not for here";
	}
	pq_set_message(pq->name, text ? text : lib.PQerrorMessage(pq->handle), f);
	lib.PQclear(r);
	return NULL;
}

struct pq_result *pq_exec(
    struct pq_connection *pq, const char *sql, enum pq_failure *failure, struct fault *f)
{
	return checked_result(pq, lib.PQexec(pq->handle, sql), failure, f);
}

/* Values in the form that libpq requires: three arrays. */
struct value_arrays {
	const char **ptr;
	int *len, *format;
};

static struct value_arrays arrays_of(const struct pq_value *value, int values)
{
	size_t n = (size_t)values;
	struct value_arrays a = { mem_zero(n + 1, sizeof(*a.ptr)),
		mem_zero(n + 1, sizeof(*a.len)), mem_zero(n + 1, sizeof(*a.format)) };

	for (size_t i = 0; i < n; i++) {
		a.ptr[i] = value[i].ptr;
		a.len[i] = (int)value[i].len;
		a.format[i] = value[i].binary;
	}
	return a;
}

static void arrays_free(struct value_arrays *a)
{
	free(a->ptr);
	free(a->len);
	free(a->format);
}

struct pq_result *pq_exec_params(struct pq_connection *pq, const char *sql,
    const struct pq_value *value, int values, enum pq_failure *failure, struct fault *f)
{
	struct value_arrays a = arrays_of(value, values);
	PGresult *r =
	    lib.PQexecParams(pq->handle, sql, values, NULL, a.ptr, a.len, a.format, 0);

	arrays_free(&a);
	return checked_result(pq, r, failure, f);
}

struct pq_result *pq_prepare(struct pq_connection *pq, const char *name, const char *sql,
    enum pq_failure *failure, struct fault *f)
{
	struct pq_result *a =
	    checked_result(pq, lib.PQprepare(pq->handle, name, sql, 0, NULL), failure, f);

	if (!a)
		return NULL;
	pq_result_free(a);
	return checked_result(pq, lib.PQdescribePrepared(pq->handle, name), failure, f);
}

struct pq_result *pq_exec_prepared(struct pq_connection *pq, const char *name,
    const struct pq_value *value, int values, enum pq_failure *failure, struct fault *f)
{
	struct value_arrays a = arrays_of(value, values);
	PGresult *r =
	    lib.PQexecPrepared(pq->handle, name, values, a.ptr, a.len, a.format, 0);

	arrays_free(&a);
	return checked_result(pq, r, failure, f);
}

struct pq_result *pq_copy_in(struct pq_connection *pq, const char *sql, struct text bytes,
    enum pq_failure *failure, struct fault *f)
{
	enum { PIECE = 1 << 20 };
	PGresult *r = lib.PQexec(pq->handle, sql), *more;
	bool sent = true;

	if (lib.PQresultStatus(r) != PGRES_COPY_IN)
		return checked_result(pq, r, failure, f);
	lib.PQclear(r);
	for (size_t at = 0; at < bytes.len && sent; at += PIECE)
		sent = lib.PQputCopyData(pq->handle, bytes.ptr + at,
		           (int)(bytes.len - at < PIECE ? bytes.len - at : PIECE)) == 1;
	if (sent)
		lib.PQputCopyEnd(pq->handle, NULL);
	r = lib.PQgetResult(pq->handle);
	while (r && (more = lib.PQgetResult(pq->handle)))
		lib.PQclear(more);
	return checked_result(pq, r, failure, f);
}

void pq_result_free(struct pq_result *a)
{
	if (a)
		lib.PQclear(result_of(a));
}

int pq_result_rows(const struct pq_result *a)
{
	return lib.PQntuples(result_of(a));
}

size_t pq_result_bytes(const struct pq_result *a)
{
	return lib.PQresultMemorySize(result_of(a));
}

int pq_result_columns(const struct pq_result *a)
{
	return lib.PQnfields(result_of(a));
}

int pq_result_placeholders(const struct pq_result *a)
{
	return lib.PQnparams(result_of(a));
}

const char *pq_result_name(const struct pq_result *a, int column)
{
	const char *name = lib.PQfname(result_of(a), column);

	return name ? name : "";
}

enum pq_type pq_result_type(const struct pq_result *a, int column)
{
	return pq_type_of_oid(lib.PQftype(result_of(a), column));
}

bool pq_result_is_null(const struct pq_result *a, int row, int column)
{
	return lib.PQgetisnull(result_of(a), row, column);
}

struct text pq_result_text(const struct pq_result *a, int row, int column)
{
	return (struct text){ lib.PQgetvalue(result_of(a), row, column),
		(size_t)lib.PQgetlength(result_of(a), row, column) };
}
