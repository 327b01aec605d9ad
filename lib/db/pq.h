/*
 * Talking to a PostgreSQL server through libpq, which is loaded when the first connection
 * is made: linked, it would cost every program milliseconds and a package. The one file
 * that includes libpq-fe.h; where that was not there to build with, lib/pq_none.c stands
 * in.
 */
#ifndef PQ_H
#define PQ_H

#include "base/base.h"

/* What a failure means for a second try. */
enum pq_failure {
	PQ_FINE,
	PQ_WRONG,   /* it would fail again */
	PQ_LOST,    /* the server is out of reach, or went away */
	PQ_CLASHED, /* two transactions were in each other's way */
	PQ_LOCKED,  /* the lock was waited for long enough */
};

struct pq;
struct pq_answer;

/* How the URL may be shown: without passwords. Allocated. */
char *pq_name(const char *url);
/*
 * Connect, waiting timeout_s for an answer; name stands in messages. NULL with the message
 * and why.
 */
struct pq *pq_open(const char *url, const char *name, int timeout_s,
    enum pq_failure *failure, struct fault *f);
void pq_close(struct pq *pq);
/* Whether a transaction is under way, a failed one too. */
bool pq_in_transaction(const struct pq *pq);

/* A value for a placeholder, NULL where ptr is; text ends in a NUL. */
struct pq_value {
	const char *ptr;
	size_t len;
	bool binary;
};

/*
 * Run statements without values; the answer is the last one's. All these return NULL with
 * the message and *failure set.
 */
struct pq_answer *pq_exec(
    struct pq *pq, const char *sql, enum pq_failure *failure, struct fault *f);
/* Run one statement. */
struct pq_answer *pq_query(struct pq *pq, const char *sql, const struct pq_value *value,
    int values, enum pq_failure *failure, struct fault *f);
/* Prepare one; the answer describes it. */
struct pq_answer *pq_prepare(struct pq *pq, const char *name, const char *sql,
    enum pq_failure *failure, struct fault *f);
struct pq_answer *pq_run(struct pq *pq, const char *name, const struct pq_value *value,
    int values, enum pq_failure *failure, struct fault *f);
/* Send bytes to a COPY statement. */
struct pq_answer *pq_copy(struct pq *pq, const char *sql, struct text bytes,
    enum pq_failure *failure, struct fault *f);

/* Types of columns that have a meaning here. */
enum pq_type { PQ_TEXT, PQ_INTEGER, PQ_NUMBER, PQ_NUMERIC, PQ_BOOLEAN, PQ_BYTES, PQ_JSON };

void pq_free(struct pq_answer *a);
int pq_rows(const struct pq_answer *a);
size_t pq_size(const struct pq_answer *a); /* bytes of memory that it takes */
int pq_columns(const struct pq_answer *a);
int pq_placeholders(const struct pq_answer *a);
const char *pq_column(const struct pq_answer *a, int column);
enum pq_type pq_type(const struct pq_answer *a, int column);
bool pq_is_null(const struct pq_answer *a, int row, int column);
/* As PostgreSQL writes it; a NUL follows. Lives as long as the answer. */
struct text pq_text(const struct pq_answer *a, int row, int column);

#endif
