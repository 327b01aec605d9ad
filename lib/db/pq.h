/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thin layer over libpq, which is loaded with the first connection. Linking it would cost
 * every program milliseconds and require a package. Only pq.c includes libpq-fe.h; if that
 * header is not installed, db_pq_none.c replaces all other pq*.c and db_pq*.c.
 */
#ifndef DB_PQ_H
#define DB_PQ_H

#include "base/base.h"

/* Kinds of failures, which decide whether to retry. */
enum pq_failure {
	PQ_FINE,
	PQ_WRONG,   /* it would fail again */
	PQ_LOST,    /* the server cannot be reached, or the connection was lost */
	PQ_NOWHERE, /* the name of the server is unknown: it cannot be reached soon */
	PQ_CLASHED, /* two transactions conflicted */
	PQ_LOCKED,  /* the time to wait for a lock is over */
	PQ_BLOCKED, /* the server cannot write: its disk is full, or it is read-only */
};

/* Types of columns that the driver distinguishes; PQ_TEXT is every other type. */
enum pq_type { PQ_TEXT, PQ_INTEGER, PQ_NUMBER, PQ_NUMERIC, PQ_BOOLEAN, PQ_BYTES, PQ_JSON };

struct pq_connection;
struct pq_result;

/* Returns the URL without passwords, for messages; allocated. */
char *pq_name(const char *url);
/* Sets the message to a string of libpq or the server, as one line without control
 * characters.
 */
void pq_set_message(const char *name, const char *text, struct fault *f);
/* Returns the kind of failure of an SQLSTATE, or PQ_FINE if it is unknown or NULL. */
enum pq_failure pq_failure_of_sqlstate(const char *state);
enum pq_type pq_type_of_oid(unsigned oid);

/*
 * Connects, waiting up to timeout_s for an answer; name is used in messages. Returns NULL,
 * the message and *failure if it fails.
 */
struct pq_connection *pq_open(const char *url, const char *name, int timeout_s,
    enum pq_failure *failure, struct fault *f);
void pq_close(struct pq_connection *pq);
/* Returns whether a transaction is open, including one that has failed. */
bool pq_in_transaction(const struct pq_connection *pq);

/* The value of a placeholder; NULL if ptr is NULL. A string ends in a NUL. */
struct pq_value {
	const char *ptr;
	size_t len;
	bool binary;
};

/*
 * Executes statements without values, and returns the result of the last one. This function
 * and the next four return NULL, the message and *failure if they fail.
 */
struct pq_result *pq_exec(
    struct pq_connection *pq, const char *sql, enum pq_failure *failure, struct fault *f);
/* Executes one statement with values. */
struct pq_result *pq_exec_params(struct pq_connection *pq, const char *sql,
    const struct pq_value *value, int values, enum pq_failure *failure, struct fault *f);
/* Prepares one statement; the result describes it. */
struct pq_result *pq_prepare(struct pq_connection *pq, const char *name, const char *sql,
    enum pq_failure *failure, struct fault *f);
/* Executes a prepared statement. */
struct pq_result *pq_exec_prepared(struct pq_connection *pq, const char *name,
    const struct pq_value *value, int values, enum pq_failure *failure, struct fault *f);
/* Executes COPY FROM STDIN and sends it the bytes. */
struct pq_result *pq_copy_in(struct pq_connection *pq, const char *sql, struct text bytes,
    enum pq_failure *failure, struct fault *f);

void pq_result_free(struct pq_result *a);
int pq_result_rows(const struct pq_result *a);
/* Returns the memory that the result uses, in bytes. */
size_t pq_result_bytes(const struct pq_result *a);
int pq_result_columns(const struct pq_result *a);
int pq_result_placeholders(const struct pq_result *a);
const char *pq_result_name(const struct pq_result *a, int column);
enum pq_type pq_result_type(const struct pq_result *a, int column);
bool pq_result_is_null(const struct pq_result *a, int row, int column);
/* Returns a value as PostgreSQL writes it, followed by a NUL; valid as long as the result.
 */
struct text pq_result_text(const struct pq_result *a, int row, int column);

#endif
