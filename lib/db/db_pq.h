/*
 * What the two halves of the driver for PostgreSQL share.
 */
#ifndef DB_PQ_H
#define DB_PQ_H

#include "db/db_driver.h"
#include "db/pq.h"

struct server {
	struct db db;
	char *url;
	int flags;
	struct pq *pq; /* NULL: not connected */
	struct buf schema;
	bool brought; /* it is up to date */
	bool guarded;
	bool reading;            /* in a transaction that cannot write */
	unsigned transactions;   /* how many have ended */
	enum pq_failure failure; /* why the last call failed */
	double retry_until_ns;   /* of CLOCK_MONOTONIC; 0: nothing has failed */
	double pause_ns;         /* before the next try */
	unsigned statements;     /* how many were prepared */
	struct server_query *inserts, **last_insert;
};

/* Run statements that give nothing. 0 or -1. */
int server_exec(struct server *s, const char *sql, struct fault *f);
/* Make or bring up to date the schema, as flags say. 0 or -1. */
int server_bring(struct server *s, struct text schema, struct fault *f);
/* Whether there is a schema of ours: 1, 0 or -1. */
int server_has_schema(struct server *s, struct fault *f);

#endif
