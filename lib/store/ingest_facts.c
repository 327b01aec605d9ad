/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts of a stream; see ingest_facts.h.
 */
#include <stdlib.h>

#include "store/ingest_facts.h"

/* Returns the number of a pair of numbers. */
static size_t pair_number(struct intern *pairs, size_t a, size_t b)
{
	size_t pair[2] = { a, b };

	return intern_add(pairs, (struct text){ (const char *)pair, sizeof(pair) });
}

void ingest_facts_newest(struct ingest_facts *f, struct ingest_fact fact)
{
	size_t number = pair_number(&f->newest_keys, fact.env, fact.fact);

	if (number == f->newests)
		*VEC_ADD(f->newest, f->newests, f->newest_cap) = fact;
	f->newest[number].value = fact.value;
}

static struct ingest_env_sets *sets_of_env(struct ingest_facts *f, size_t env)
{
	size_t number = pair_number(&f->env_keys, env, 0);

	if (number == f->envs)
		*VEC_ADD(f->env, f->envs, f->env_cap) =
		    (struct ingest_env_sets){ SIZE_MAX, SIZE_MAX };
	return &f->env[number];
}

static size_t make_fact_set(struct ingest_facts *f, size_t env)
{
	*VEC_ADD(f->set, f->sets, f->set_cap) = (struct ingest_fact_set){ .env = env };
	return f->sets - 1;
}

static void put_fact(struct ingest_facts *f, size_t set, struct ingest_fact fact)
{
	struct ingest_fact_set *s = &f->set[set];
	size_t number = pair_number(&f->fact_keys, set, fact.fact);

	if (number == f->facts) {
		*VEC_ADD(f->fact_at, f->facts, f->fact_cap) = s->facts;
		*VEC_ADD(s->fact, s->facts, s->cap) = fact;
	}
	s->fact[f->fact_at[number]].value = fact.value;
}

void ingest_facts_add(struct ingest_facts *f, struct ingest_fact fact)
{
	struct ingest_env_sets *of_env = sets_of_env(f, fact.env);

	if (of_env->last == SIZE_MAX || f->set[of_env->last].followed) {
		of_env->last = make_fact_set(f, fact.env);
		if (of_env->first == SIZE_MAX)
			of_env->first = of_env->last;
	}
	put_fact(f, of_env->last, fact);
}

/* Returns the entry of a run and an env; a new entry gets this set. */
static struct ingest_run_facts *link_of(
    struct ingest_facts *f, size_t run, size_t env, size_t set)
{
	size_t number = pair_number(&f->link_keys, run, env);

	if (number == f->links)
		*VEC_ADD(f->link, f->links, f->link_cap) =
		    (struct ingest_run_facts){ run, env, set };
	return &f->link[number];
}

void ingest_facts_run(struct ingest_facts *f, size_t run, size_t env)
{
	size_t last = sets_of_env(f, env)->last;

	if (last != SIZE_MAX)
		f->set[last].followed = true;
	link_of(f, run, env, last);
}

void ingest_facts_add_to_run(struct ingest_facts *f, size_t run, struct ingest_fact fact)
{
	struct ingest_run_facts *link = link_of(f, run, fact.env, SIZE_MAX);

	if (link->set == SIZE_MAX)
		link->set = make_fact_set(f, fact.env);
	put_fact(f, link->set, fact);
}

void ingest_facts_join_runs(struct ingest_facts *f, const size_t *number)
{
	for (size_t i = 0; i < f->links; i++) {
		struct ingest_run_facts *link = &f->link[i];
		size_t keys = f->link_keys.count;

		if (number[link->run] == link->run)
			continue;
		link->run = number[link->run];
		if (pair_number(&f->link_keys, link->run, link->env) < keys)
			link->set = SIZE_MAX; /* the other run has the facts */
	}
}

void ingest_facts_finish(struct ingest_facts *f)
{
	for (size_t i = 0; i < f->links; i++)
		if (f->link[i].set == SIZE_MAX)
			f->link[i].set = sets_of_env(f, f->link[i].env)->first;
}

void ingest_facts_free(struct ingest_facts *f)
{
	for (size_t i = 0; i < f->sets; i++)
		free(f->set[i].fact);
	intern_free(&f->newest_keys);
	intern_free(&f->fact_keys);
	intern_free(&f->link_keys);
	intern_free(&f->env_keys);
	free(f->newest);
	free(f->set);
	free(f->link);
	free(f->fact_at);
	free(f->env);
}
