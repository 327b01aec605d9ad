/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts of a stream, and which of its runs they are about. A run has the facts of its env
 * that came last before its first row, or, when none came before, those that came first
 * after it. Pure.
 */
#ifndef STORE_INGEST_FACTS_H
#define STORE_INGEST_FACTS_H

#include "base/intern.h"

/* Numbers of texts that the caller interned. */
struct ingest_fact {
	size_t env, fact, value;
};

/* Facts of one env that were read together. */
struct ingest_fact_set {
	size_t env;
	struct ingest_fact *fact; /* each fact once, with its last value */
	size_t facts, cap;
	bool followed; /* by rows of that env: other facts of it make a new set */
};

/* A run and the facts of an env that its rows name. */
struct ingest_run_facts {
	size_t run, env, set; /* SIZE_MAX: there is none */
};

struct ingest_facts {
	struct ingest_fact *newest; /* of each env and fact */
	size_t newests, newest_cap;
	struct ingest_fact_set *set;
	size_t sets, set_cap;
	struct ingest_run_facts *link;
	size_t links, link_cap;

	/* of ingest_facts.c */
	struct intern newest_keys, fact_keys, link_keys, env_keys;
	size_t *fact_at; /* by number of its key: the place of a fact in its set */
	size_t facts, fact_cap;
	struct ingest_env_sets {
		size_t first, last; /* sets; SIZE_MAX: there is none */
	} * env;
	size_t envs, env_cap;
};

/* Notes a fact as the newest of its env. */
void ingest_facts_newest(struct ingest_facts *f, struct ingest_fact fact);
/* Notes a fact of a stream, for rows after it or before it. */
void ingest_facts_add(struct ingest_facts *f, struct ingest_fact fact);
/* Notes that a run has rows of an env. */
void ingest_facts_run(struct ingest_facts *f, size_t run, size_t env);
/* Notes a fact of one run alone. */
void ingest_facts_add_to_run(struct ingest_facts *f, size_t run, struct ingest_fact fact);
/* Ends the stream: runs before all facts of their env get the first of these facts. */
void ingest_facts_finish(struct ingest_facts *f);
void ingest_facts_free(struct ingest_facts *f);

#endif
