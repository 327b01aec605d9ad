/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The connection to a PostgreSQL server. A lost connection is restored at the beginning
 * of a transaction, after pauses that double, within the time that the program may wait
 * for a lock.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "db/pq_priv.h"

enum { PAUSE_MIN_NS = 10000000, PAUSE_MAX_NS = 1000000000 };

static double monotonic_ns(void)
{
	return (double)clock_monotonic_ns();
}

struct pq_session *pq_session_of(const struct db *db)
{
	return (struct pq_session *)db;
}

struct pq_session *pq_session_new(
    const struct db_driver *driver, const char *url, int flags, double wait_ns)
{
	struct pq_session *s = mem_zero(1, sizeof(*s));

	*s = (struct pq_session){
		.db = { .driver = driver, .name = pq_name(url), .wait_ns = wait_ns },
		.url = str_copy(url),
		.flags = flags,
		.last_copy = &s->copies
	};
	return s;
}

void pq_session_free(struct pq_session *s)
{
	pq_close(s->connection);
	free(s->schema.ptr);
	free(s->url);
	free(s->db.name);
	free(s);
}

int pq_session_fail(struct pq_session *s, struct fault *f)
{
	struct fault why = *f;

	s->db.trouble = s->failure == PQ_WRONG     ? DB_FAILED
	                : s->failure == PQ_BLOCKED ? DB_BLOCKED
	                                           : DB_LOCKED;
	if (s->failure == PQ_LOCKED)
		db_fail_locked(&s->db, f);
	else if (s->failure == PQ_LOST && s->connection)
		fault_set(f, "%.950s (the connection is lost)", why.text);
	return -1;
}

int pq_session_exec(struct pq_session *s, const char *sql, struct fault *f)
{
	struct pq_result *a = pq_exec(s->connection, sql, &s->failure, f);

	if (!a)
		return pq_session_fail(s, f);
	pq_result_free(a);
	return 0;
}

static int set_parameters(struct pq_session *s, struct fault *f)
{
	double wait_ms = fmin(s->db.wait_ns / 1e6, 2e9);
	/* 0 would mean no limit. */
	char *sql = str_format("SET lock_timeout = %.0f; SET bytea_output = 'hex';"
	                       "SET extra_float_digits = 1; SET DateStyle = 'ISO';"
	                       "SET standard_conforming_strings = on%s",
	    fmax(wait_ms, 1),
	    s->flags & DB_READ ? "; SET default_transaction_read_only = on" : "");
	int status = pq_session_exec(s, sql, f);

	free(sql);
	return status;
}

int pq_session_connect(struct pq_session *s, struct fault *f)
{
	double left_ns =
	    s->retry_until_ns > 0 ? s->retry_until_ns - monotonic_ns() : s->db.wait_ns;

	pq_close(s->connection);
	s->copies = NULL;
	s->last_copy = &s->copies;
	s->connection = pq_open(
	    s->url, s->db.name, (int)fmin(fmax(left_ns / 1e9, 2), 30), &s->failure, f);
	if (!s->connection)
		return pq_session_fail(s, f);
	return set_parameters(s, f);
}

/* Pauses if there is time left since the first attempt, at began_ns. */
static bool pause_before_retry(struct pq_session *s, double began_ns)
{
	double now = monotonic_ns(), ns;
	struct timespec pause;

	if (s->retry_until_ns == 0) {
		s->retry_until_ns = began_ns + s->db.wait_ns;
		s->pause_ns = PAUSE_MIN_NS;
		srand48((long)now);
	}
	if (now >= s->retry_until_ns)
		return false;
	/* Two sessions that conflicted must not retry at the same time. */
	ns = s->pause_ns * (0.5 + drand48());
	ns = fmin(ns, s->retry_until_ns - now);
	pause.tv_sec = (time_t)(ns / 1e9);
	pause.tv_nsec = (long)fmod(ns, 1e9);
	nanosleep(&pause, NULL);
	s->pause_ns = fmin(2 * s->pause_ns, PAUSE_MAX_NS);
	return true;
}

int pq_session_reach(struct pq_session *s, struct fault *f)
{
	double began_ns = monotonic_ns();

	while (pq_session_connect(s, f) < 0)
		if (s->failure != PQ_LOST || !pause_before_retry(s, began_ns))
			return -1;
	return 0;
}

bool pq_session_retry(struct db *db)
{
	struct pq_session *s = pq_session_of(db);
	struct fault ignored;

	if ((s->failure != PQ_LOST && s->failure != PQ_CLASHED) ||
	    !pause_before_retry(s, monotonic_ns()))
		return false;
	return s->failure == PQ_CLASHED || pq_session_reach(s, &ignored) == 0;
}
