/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts of a stream, and the runs that they belong to. A run has the last facts of its env
 * before its first row or, if there are none, the first facts of its env after that row.
 * Pure.
 */
#ifndef STORE_INGEST_FACTS_H
#define STORE_INGEST_FACTS_H

#include "base/intern.h"

/* Numbers of strings that the caller interned. */
struct ingest_fact {
	size_t env, fact, value;
};

/* Facts of one env that were read together. */
struct ingest_fact_set {
	size_t env;
	struct ingest_fact *fact; /* each fact once, with its last value */
	size_t facts, cap;
	bool followed; /* by rows of that env: further facts of the env make a new set */
};

/* A run and an env that its rows name, with the facts of that env. */
struct ingest_run_facts {
	size_t run, env, set; /* set: SIZE_MAX without facts */
};

struct ingest_facts {
	struct ingest_fact *newest; /* of each env and fact */
	size_t newests, newest_cap;
	struct ingest_fact_set *set;
	size_t sets, set_cap;
	struct ingest_run_facts *link;
	size_t links, link_cap;

	/* for ingest_facts.c */
	struct intern newest_keys, fact_keys, link_keys, env_keys;
	size_t *fact_at; /* by the number of its key: the index of a fact in its set */
	size_t facts, fact_cap;
	struct ingest_env_sets {
		size_t first, last; /* sets; SIZE_MAX: there is none */
	} * env;
	size_t envs, env_cap;
};

/* Sets the newest value of a fact. */
void ingest_facts_newest(struct ingest_facts *f, struct ingest_fact fact);
/* Adds a fact of a stream, which may belong to rows after or before it. */
void ingest_facts_add(struct ingest_facts *f, struct ingest_fact fact);
/* Records that a run has rows of an env. */
void ingest_facts_run(struct ingest_facts *f, size_t run, size_t env);
/* Adds a fact that belongs only to one run. */
void ingest_facts_add_to_run(struct ingest_facts *f, size_t run, struct ingest_fact fact);
/* Replaces the number of each run by number[run]: several runs become one. Call it at the
 * end. */
void ingest_facts_join_runs(struct ingest_facts *f, const size_t *number);
/* Ends the stream: assigns the first facts of an env to the runs that precede them. */
void ingest_facts_finish(struct ingest_facts *f);
void ingest_facts_free(struct ingest_facts *f);

#endif
