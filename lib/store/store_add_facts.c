/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds the newest facts of each env, and the facts of runs. Most facts of a machine are
 * the same in every run, and a few differ in each run, such as the load. A run therefore
 * refers to the newest set of its env, and has its own rows for the facts that differ. If
 * more than a quarter differ, a new set is created. A run that already has facts of an
 * env keeps them.
 */
#include <stdlib.h>

#include "store/store_add_priv.h"

enum { MOST_CHANGED = 4 }; /* at most one in MOST_CHANGED facts differs from a set */

/* The facts of one env in the database. */
struct kept_facts {
	size_t env; /* a number in the strings of the addition; SIZE_MAX: none */
	int64_t set;
	struct intern facts, values;
	size_t *value; /* by the number of the fact */
	size_t count, cap;
};

static void forget_facts(struct kept_facts *k)
{
	intern_free(&k->facts);
	intern_free(&k->values);
	free(k->value);
	*k = (struct kept_facts){ .env = SIZE_MAX };
}

static void note_fact(struct kept_facts *k, struct text fact, struct text value)
{
	size_t number = intern_add(&k->facts, fact);

	if (number == k->count)
		*VEC_ADD(k->value, k->count, k->cap) = 0;
	k->value[number] = intern_add(&k->values, value);
}

/* Reads the rows of a query on an env: fact, value and, if present, set. */
static int read_facts(struct store_addition *a, struct kept_facts *k, size_t env,
    struct query *q, struct fault *f)
{
	int got;

	if (k->env == env)
		return 0;
	forget_facts(k);
	k->env = env;
	query_bind_text(q, 1, intern_text(&a->in->texts, env));
	while ((got = query_next(q, f)) > 0) {
		note_fact(k, query_text(q, 0), query_text(q, 1));
		if (query_columns(q) > 2)
			k->set = query_integer(q, 2);
	}
	return got;
}

/* Returns the number of a fact in k, or -1; sets *same if it has the same value there. */
static long find_fact(const struct store_addition *a, const struct kept_facts *k,
    const struct ingest_fact *fact, bool *same)
{
	long number = intern_find(&k->facts, intern_text(&a->in->texts, fact->fact));

	*same = number >= 0 && text_equal(intern_text(&k->values, k->value[number]),
	                           intern_text(&a->in->texts, fact->value));
	return number;
}

/*
 * Adds a newest value or replaces it, after any concurrent writer of the same fact. 0 or
 * -1.
 */
static int set_newest(
    struct store_addition *a, const struct ingest_fact *fact, struct fault *f)
{
	struct text env = intern_text(&a->in->texts, fact->env),
	            name = intern_text(&a->in->texts, fact->fact),
	            value = intern_text(&a->in->texts, fact->value);
	struct checksum *sum = &a->seal.change[STORE_SEAL_FACTS];
	struct query *add = a->query[STORE_ADD_ADD_FACT],
	             *lock = a->query[STORE_ADD_LOCK_FACT],
	             *set = a->query[STORE_ADD_SET_FACT];
	uint64_t added = 0;

	query_bind_text(add, 1, env);
	query_bind_text(add, 2, name);
	query_bind_text(add, 3, value);
	if (store_seal_made(&a->seal, SEAL_FACT, add, sum, &added, f) < 0)
		return -1;
	if (added)
		return 0;
	query_bind_text(lock, 1, env);
	query_bind_text(lock, 2, name);
	if (store_seal_removed(&a->seal, SEAL_FACT, lock, sum, NULL, f) < 0)
		return -1;
	query_bind_text(set, 1, value);
	query_bind_text(set, 2, env);
	query_bind_text(set, 3, name);
	return store_seal_made(&a->seal, SEAL_FACT, set, sum, NULL, f);
}

/* Writes the newest value of each fact. 0 or -1. */
static int add_newest(struct store_addition *a, struct kept_facts *k, struct fault *f)
{
	const struct ingest_facts *facts = &a->in->facts;

	for (size_t i = 0; i < facts->newests; i++) {
		const struct ingest_fact *fact = &facts->newest[i];
		bool same;

		if (read_facts(a, k, fact->env, a->query[STORE_ADD_FIND_FACTS], f) < 0)
			return -1;
		if (find_fact(a, k, fact, &same) < 0)
			a->added->facts++;
		else if (same)
			a->added->facts_known++;
		else
			a->added->facts_changed++;
		if (!same && set_newest(a, fact, f) < 0)
			return -1;
	}
	return 0;
}

/* The facts of runs that are being added, and the newest set of the current env. */
struct run_facts {
	struct store_addition *a;
	struct kept_facts base;
	struct query *set, *value, *run, *change;
};

static int prepare_facts(struct run_facts *r, struct fault *f)
{
	struct db *db = r->a->store->db;

	r->set = db_insert(db, "fact_sets", "set_id, env", 2, f);
	if (r->set)
		r->value = db_insert(db, "fact_set_values", "set_id, fact, value", 3, f);
	if (r->value)
		r->run = db_insert(db, "run_fact_sets", "run_id, set_id", 2, f);
	if (r->run)
		r->change =
		    db_insert(db, "run_fact_changes", "run_id, set_id, fact, value", 4, f);
	return r->change ? 0 : -1;
}

static void close_facts(struct run_facts *r)
{
	query_close(r->change);
	query_close(r->run);
	query_close(r->value);
	query_close(r->set);
	forget_facts(&r->base);
}

/* Adds the hash of a row that was inserted to a sum. */
static void seal_inserted(struct run_facts *r, struct checksum *sum)
{
	struct checksum hash = seal_row_hash(&r->a->seal.row);

	checksum_add(sum, &hash);
}

static int write_set_fact(
    struct run_facts *r, int64_t set, struct text fact, struct text value, struct fault *f)
{
	struct seal_row *row = &r->a->seal.row;

	query_bind_integer(r->value, 1, set);
	query_bind_text(r->value, 2, fact);
	query_bind_text(r->value, 3, value);
	seal_row_begin(row, SEAL_FACT_SET_VALUE);
	seal_row_integer(row, set);
	seal_row_text(row, fact);
	seal_row_text(row, value);
	seal_inserted(r, &r->a->seal.change[STORE_SEAL_FACTS]);
	return query_run(r->value, f);
}

/* Creates a set, and makes it the base. */
static int write_set(
    struct run_facts *r, const struct ingest_fact_set *set, struct fault *f)
{
	const struct intern *texts = &r->a->in->texts;
	struct seal_row *row = &r->a->seal.row;
	int64_t id;

	if (db_ids(r->a->store->db, "fact_sets", "set_id", 1, &id, f) < 0)
		return -1;
	query_bind_integer(r->set, 1, id);
	query_bind_text(r->set, 2, intern_text(texts, set->env));
	if (query_run(r->set, f) < 0)
		return -1;
	seal_row_begin(row, SEAL_FACT_SET);
	seal_row_integer(row, id);
	seal_row_text(row, intern_text(texts, set->env));
	seal_inserted(r, &r->a->seal.change[STORE_SEAL_FACTS]);
	forget_facts(&r->base);
	r->base.env = set->env;
	r->base.set = id;
	for (size_t i = 0; i < set->facts; i++) {
		struct text fact = intern_text(texts, set->fact[i].fact),
		            value = intern_text(texts, set->fact[i].value);

		note_fact(&r->base, fact, value);
		if (write_set_fact(r, id, fact, value, f) < 0)
			return -1;
	}
	return 0;
}

/*
 * Writes a fact of a run that differs from the base; value NULL: the run lacks the fact.
 */
static int write_change(struct run_facts *r, struct store_run_target *run, struct text fact,
    const struct text *value, struct fault *f)
{
	struct seal_row *row = &r->a->seal.row;

	query_bind_integer(r->change, 1, run->id);
	query_bind_integer(r->change, 2, r->base.set);
	query_bind_text(r->change, 3, fact);
	seal_row_begin(row, SEAL_RUN_FACT_CHANGE);
	seal_row_integer(row, run->id);
	seal_row_integer(row, r->base.set);
	seal_row_text(row, fact);
	if (value) {
		query_bind_text(r->change, 4, *value);
		seal_row_text(row, *value);
	} else {
		query_bind_null(r->change, 4);
	}
	seal_inserted(r, &run->seal.change);
	return query_run(r->change, f);
}

/*
 * Counts the facts in which a set differs from the base, and writes them for a run,
 * unless it is NULL. Returns -1 if writing fails.
 */
static long differ_from_base(struct run_facts *r, const struct ingest_fact_set *set,
    struct store_run_target *run, struct fault *f)
{
	const struct intern *texts = &r->a->in->texts;
	struct kept_facts *base = &r->base;
	bool *found = mem_zero(base->count, sizeof(*found)), same;
	long changes = 0;
	int status = 0;

	for (size_t i = 0; i < set->facts && status == 0; i++) {
		struct text value = intern_text(texts, set->fact[i].value);
		long number = find_fact(r->a, base, &set->fact[i], &same);

		if (number >= 0)
			found[number] = true;
		changes += !same;
		if (!same && run)
			status = write_change(
			    r, run, intern_text(texts, set->fact[i].fact), &value, f);
	}
	for (size_t i = 0; i < base->count && status == 0; i++) {
		changes += !found[i];
		if (!found[i] && run)
			status =
			    write_change(r, run, intern_text(&base->facts, i), NULL, f);
	}
	free(found);
	return status < 0 ? -1 : changes;
}

/*
 * Returns 1 if a run that was in the database before has facts of an env, 0 if not, or
 * -1.
 */
static int has_facts(struct store_addition *a, int64_t run, size_t env, struct fault *f)
{
	struct query *q = a->query[STORE_ADD_FIND_RUN_FACTS];
	int got;

	query_bind_integer(q, 1, run);
	query_bind_text(q, 2, intern_text(&a->in->texts, env));
	got = query_next(q, f);
	query_rewind(q);
	return got;
}

static int add_run_facts(
    struct run_facts *r, const struct ingest_run_facts *link, struct fault *f)
{
	struct store_addition *a = r->a;
	const struct ingest_fact_set *set = &a->in->facts.set[link->set];
	struct store_run_target *run = &a->run[link->run];
	struct seal_row *row = &a->seal.row;
	int had = run->fresh ? 0 : has_facts(a, run->id, link->env, f);

	if (had)
		return had < 0 ? -1 : 0;
	if (read_facts(a, &r->base, link->env, a->query[STORE_ADD_FIND_SET], f) < 0)
		return -1;
	if ((!r->base.set ||
	        differ_from_base(r, set, NULL, f) > (long)(set->facts / MOST_CHANGED)) &&
	    write_set(r, set, f) < 0)
		return -1;
	query_bind_integer(r->run, 1, run->id);
	query_bind_integer(r->run, 2, r->base.set);
	if (query_run(r->run, f) < 0)
		return -1;
	seal_row_begin(row, SEAL_RUN_FACT_SET);
	seal_row_integer(row, run->id);
	seal_row_integer(row, r->base.set);
	seal_inserted(r, &run->seal.change);
	run->touched = true;
	return differ_from_base(r, set, run, f) < 0 ? -1 : 0;
}

int store_add_facts(struct store_addition *a, struct fault *f)
{
	const struct ingest_facts *facts = &a->in->facts;
	struct run_facts r = { .a = a, .base.env = SIZE_MAX };
	struct kept_facts newest = { .env = SIZE_MAX };
	int status = add_newest(a, &newest, f);

	forget_facts(&newest);
	if (status == 0 && facts->sets)
		status = prepare_facts(&r, f);
	for (size_t i = 0; i < facts->links && facts->sets && status == 0; i++)
		if (facts->link[i].set != SIZE_MAX && a->run[facts->link[i].run].id)
			status = add_run_facts(&r, &facts->link[i], f);
	if (status == 0)
		status = db_flush(a->store->db, f);
	close_facts(&r);
	return status;
}
