/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the seals of the parts of a database, and the tables that they cover.
 */
#include <stdlib.h>

#include "store/store_check_priv.h"
#include "text/display_text.h"

/* The tables of a run other than its series; the seal of the run covers them. */
static const enum seal_table run_tables[] = { SEAL_RUN_FACT_SET, SEAL_RUN_FACT_CHANGE };
/* The tables of the parts. */
static const struct {
	enum seal_table table;
	enum store_seal_part part;
} part_tables[] = {
	{ SEAL_ANNOTATION, STORE_SEAL_ANNOTATIONS },
	{ SEAL_FACT, STORE_SEAL_FACTS },
	{ SEAL_FACT_SET, STORE_SEAL_FACTS },
	{ SEAL_FACT_SET_VALUE, STORE_SEAL_FACTS },
	{ SEAL_TAG, STORE_SEAL_TAGS },
};
static const char *const part_names[STORE_SEAL_PARTS] = { "annotations", "facts", "runs",
	"tags" };

static const char no_seal[] = "have no seal";

static void report_part(struct store_checking *c, size_t part, const char *what)
{
	c->text.len = 0;
	buf_printf(&c->text, "%s: %s", part_names[part], what);
	store_check_report(c, STORE_CHECK_CHANGE);
}

static struct query *ask_parts(struct store_checking *c, struct fault *f)
{
	return db_query(
	    c->store->db, "SELECT part, state, seal FROM store_seal ORDER BY part", f);
}

int store_check_state(struct store_checking *c, struct fault *f)
{
	struct query *q = ask_parts(c, f);
	size_t unsealed = 0;
	int got = q ? 1 : -1;

	while (got > 0 && (got = query_next(q, f)) > 0)
		unsealed += text_is(query_text(q, 1), "unsealed");
	query_close(q);
	c->sealed = c->checked->sealed = unsealed == 0;
	return got;
}

int store_check_facts(struct store_checking *c, int64_t run_id, struct fault *f)
{
	for (size_t i = 0; i < COUNT(run_tables); i++) {
		const struct seal_columns *t = &seal_columns[run_tables[i]];
		struct query *q = c->facts[i];
		int got;

		if (!q) {
			char *sql = str_format(
			    "SELECT %s FROM %s WHERE run_id = $1", t->columns, t->table);

			q = c->facts[i] = db_query(c->store->db, sql, f);
			free(sql);
		}
		if (!q)
			return -1;
		query_bind_integer(q, 1, run_id);
		while ((got = query_next(q, f)) > 0) {
			struct checksum hash =
			    store_seal_hash(&c->row, run_tables[i], q, 0);

			checksum_add(&c->seal, &hash);
		}
		if (got < 0)
			return -1;
	}
	return 0;
}

static int sum_table(
    struct store_checking *c, enum seal_table table, struct checksum *sum, struct fault *f)
{
	const struct seal_columns *t = &seal_columns[table];
	char *sql = str_format("SELECT %s FROM %s", t->columns, t->table);
	struct query *q = db_query(c->store->db, sql, f);
	int got = q ? 1 : -1;

	free(sql);
	if (q)
		query_many(q);
	while (got > 0 && (got = query_next(q, f)) > 0) {
		struct checksum hash = store_seal_hash(&c->row, table, q, 0);

		checksum_add(sum, &hash);
	}
	query_close(q);
	return got;
}

/* Compares a row of store_seal with the sum. */
static void check_part(struct store_checking *c, size_t part, struct query *q)
{
	bool typed = query_type(q, 1) == QUERY_TEXT,
	     unsealed = text_is(query_text(q, 1), "unsealed");
	char hex[CHECKSUM_HEX + 1];

	checksum_print(hex, &c->part[part]);
	if (!typed || (unsealed ? query_type(q, 2) != QUERY_NULL || c->sealed
	                        : !text_is(query_text(q, 1), "sealed")))
		report_part(c, part, "the state of their seal is damaged");
	else if (!unsealed && !c->sealed)
		report_part(c, part,
		    "the state of their seal differs from that of the other parts");
	else if (!unsealed &&
	         (query_type(q, 2) != QUERY_TEXT || !text_is(query_text(q, 2), hex)))
		report_part(c, part,
		    query_type(q, 2) == QUERY_NULL
		        ? no_seal
		        : "do not match their seal: another program changed them");
}

static int compare_parts(struct store_checking *c, struct fault *f)
{
	struct query *q = ask_parts(c, f);
	bool seen[STORE_SEAL_PARTS] = { false };
	int got = q ? 1 : -1;

	while (got > 0 && (got = query_next(q, f)) > 0) {
		size_t part = 0;

		while (part < STORE_SEAL_PARTS &&
		       !text_is(query_text(q, 0), store_seal_parts[part]))
			part++;
		if (part < STORE_SEAL_PARTS && query_type(q, 0) == QUERY_TEXT) {
			seen[part] = true;
			check_part(c, part, q);
			continue;
		}
		c->text.len = 0;
		buf_str(&c->text, "store_seal has an unknown row: ");
		display_text_clean(&c->text, query_text(q, 0));
		store_check_report(c, STORE_CHECK_DAMAGE);
	}
	query_close(q);
	for (size_t i = 0; i < STORE_SEAL_PARTS && got == 0; i++)
		if (!seen[i])
			report_part(c, i, no_seal);
	return got;
}

int store_check_tables(struct store_checking *c, struct fault *f)
{
	for (size_t i = 0; i < COUNT(part_tables); i++)
		if (sum_table(c, part_tables[i].table, &c->part[part_tables[i].part], f) <
		    0)
			return -1;
	return 0;
}

int store_check_parts(struct store_checking *c, struct fault *f)
{
	return store_check_tables(c, f) < 0 ? -1 : compare_parts(c, f);
}
