/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Updates seals while tables change; see store_seal.h.
 */
#include <stdlib.h>

#include "store/store_seal.h"

/* The parts in the order in which they are locked. */
const char *const store_seal_parts[STORE_SEAL_PARTS] = { "annotations", "facts", "runs",
	"tags" };

void store_seal_open(struct store_seal *s, struct db *db)
{
	*s = (struct store_seal){ .db = db };
}

void store_seal_close(struct store_seal *s)
{
	query_close(s->run);
	query_close(s->set_run);
	seal_row_free(&s->row);
}

struct checksum store_seal_hash(
    struct seal_row *row, enum seal_table table, struct query *q, int first)
{
	seal_row_begin(row, table);
	for (int i = first; i < first + seal_columns[table].count; i++)
		switch (query_type(q, i)) {
		case QUERY_INTEGER:
			seal_row_integer(row, query_integer(q, i));
			break;
		case QUERY_NUMBER:
			seal_row_number(row, query_number(q, i));
			break;
		case QUERY_TEXT:
			seal_row_text(row, query_text(q, i));
			break;
		case QUERY_BYTES:
			seal_row_bytes(row, query_bytes(q, i));
			break;
		default:
			seal_row_null(row);
		}
	return seal_row_hash(row);
}

int store_seal_made(struct store_seal *s, enum seal_table table, struct query *q,
    struct checksum *sum, uint64_t *count, struct fault *f)
{
	int got;

	while ((got = query_next(q, f)) > 0) {
		struct checksum hash = store_seal_hash(&s->row, table, q, 0);

		checksum_add(sum, &hash);
		if (count)
			++*count;
	}
	return got;
}

int store_seal_removed(struct store_seal *s, enum seal_table table, struct query *q,
    struct checksum *sum, uint64_t *count, struct fault *f)
{
	struct checksum removed = { 0 };
	int status = store_seal_made(s, table, q, &removed, count, f);

	checksum_subtract(sum, &removed);
	return status;
}

void store_seal_note_run(struct store_seal *s, struct store_seal_run *run, struct query *q)
{
	struct checksum hash = store_seal_hash(&s->row, SEAL_RUN, q, 0);

	*run = (struct store_seal_run){ 0 };
	run->sealed = checksum_parse(query_text(q, RUN_SEAL), &run->seal);
	checksum_subtract(&run->change, &hash);
}

static int find_run(struct store_seal *s, int64_t run_id, struct fault *f)
{
	if (!s->run) {
		char *sql = str_format("SELECT " SEAL_RUN_COLUMNS
		                       ", seal FROM benchmark_runs WHERE run_id = $1%s",
		    db_word(s->db, DB_FOR_UPDATE));

		s->run = db_query(s->db, sql, f);
		free(sql);
	}
	if (!s->run)
		return -1;
	query_bind_integer(s->run, 1, run_id);
	return query_next(s->run, f);
}

int store_seal_read_run(
    struct store_seal *s, struct store_seal_run *run, int64_t run_id, struct fault *f)
{
	int got = find_run(s, run_id, f);

	if (got > 0) {
		store_seal_note_run(s, run, s->run);
		query_rewind(s->run);
	}
	return got;
}

int store_seal_write_run(
    struct store_seal *s, struct store_seal_run *run, int64_t run_id, struct fault *f)
{
	static const struct checksum nothing = { 0 };
	char hex[CHECKSUM_HEX + 1];
	int got = find_run(s, run_id, f);

	if (got > 0) {
		struct checksum hash = store_seal_hash(&s->row, SEAL_RUN, s->run, 0);

		checksum_add(&run->change, &hash);
		query_rewind(s->run);
	}
	if (got < 0 || !run->sealed || checksum_equal(&run->change, &nothing))
		return got < 0 ? -1 : 0;
	if (!s->set_run)
		s->set_run = db_query(
		    s->db, "UPDATE benchmark_runs SET seal = $1 WHERE run_id = $2", f);
	if (!s->set_run)
		return -1;
	checksum_add(&run->seal, &run->change);
	checksum_add(&s->change[STORE_SEAL_RUNS], &run->change);
	run->change = nothing;
	checksum_print(hex, &run->seal);
	query_bind_text(s->set_run, 1, text_of(hex));
	query_bind_integer(s->set_run, 2, run_id);
	return query_run(s->set_run, f);
}

/* A part without a seal is either not sealed yet or damaged, which check reports. */
static int write_part(struct store_seal *s, size_t part, struct query *find,
    struct query *set, struct fault *f)
{
	char hex[CHECKSUM_HEX + 1];
	struct checksum seal;
	bool sealed;
	int got;

	query_bind_text(find, 1, text_of(store_seal_parts[part]));
	got = query_next(find, f);
	sealed = got > 0 && checksum_parse(query_text(find, 0), &seal);
	query_rewind(find);
	if (!sealed)
		return got < 0 ? -1 : 0;
	checksum_add(&seal, &s->change[part]);
	checksum_print(hex, &seal);
	query_bind_text(set, 1, text_of(hex));
	query_bind_text(set, 2, text_of(store_seal_parts[part]));
	return query_run(set, f);
}

int store_seal_write(struct store_seal *s, struct fault *f)
{
	static const struct checksum nothing = { 0 };
	struct query *find = NULL, *set = NULL;
	int status = 0;

	for (size_t i = 0; i < STORE_SEAL_PARTS && status == 0; i++) {
		if (checksum_equal(&s->change[i], &nothing))
			continue;
		if (!find) {
			char *sql =
			    str_format("SELECT seal FROM store_seal WHERE part = $1%s",
			        db_word(s->db, DB_FOR_UPDATE));

			find = db_query(s->db, sql, f);
			free(sql);
		}
		if (find && !set)
			set = db_query(
			    s->db, "UPDATE store_seal SET seal = $1 WHERE part = $2", f);
		status = set ? write_part(s, i, find, set, f) : -1;
	}
	query_close(set);
	query_close(find);
	return status;
}
