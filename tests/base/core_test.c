/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Basics of all programs: CSV in pieces, many groups, rounds, stopping and limits of files.
 */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "io/csv_reader.h"
#include "record/group.h"
#include "run/schedule.h"
#include "tests/lib/tap.h"

/* Records as one text, so that two ways of reading can be compared. */
static int append(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct buf *b = ctx;

	(void)f;
	buf_printf(b, "%llu:", (unsigned long long)line);
	for (size_t i = 0; i < count; i++) {
		buf_text(b, field[i]);
		buf_byte(b, '\x1f');
	}
	buf_byte(b, '\x1e');
	return 0;
}

/* Read a file in pieces of at most that many bytes; the result or the message. */
static char *read_in_pieces(const char *csv, size_t len, size_t piece)
{
	struct buf out = { 0 };
	struct fault f;
	struct csv_reader *s = csv_reader_open(append, &out);
	int status = 0;

	buf_put(&out, "", 0);
	csv_reader_begin(s, "file");
	for (size_t at = 0; at < len && status == 0; at += piece)
		status =
		    csv_reader_feed(s, csv + at, len - at < piece ? len - at : piece, &f);
	if (status == 0)
		status = csv_reader_end(s, &f);
	csv_reader_close(s);
	if (status < 0)
		buf_str(&out, f.text);
	return out.ptr;
}

static void test_sheet(struct rng *r)
{
	static const char alphabet[] = "ab ,,\n\n\r\"\"\t";
	int different = 0, parsed = 0;

	for (int i = 0; i < 3000; i++) {
		char csv[64];
		size_t len = rng_below(r, sizeof(csv));

		for (size_t k = 0; k < len; k++)
			csv[k] = alphabet[rng_below(r, sizeof(alphabet) - 1)];
		char *whole = read_in_pieces(csv, len, len + 1);
		char *bytes = read_in_pieces(csv, len, 1);
		char *some = read_in_pieces(csv, len, 1 + rng_below(r, 7));

		different += strcmp(whole, bytes) != 0 || strcmp(whole, some) != 0;
		parsed += strncmp(whole, "file:", 5) != 0;
		free(whole);
		free(bytes);
		free(some);
	}
	tap_ok(
	    different == 0, "csv_reader reads a file in pieces as it reads the whole file");
	tap_ok(parsed > 300, "many of the random files are valid CSV");
	char *mark = read_in_pieces("\xef\xbb\xbf"
	                            "a,b\n\"c\nd\",\"\"\n\ne",
	    18, 2);
	tap_text(mark,
	    "1:a\x1f"
	    "b\x1f\x1e"
	    "3:c\nd\x1f\x1f\x1e"
	    "5:e\x1f\x1e",
	    "csv_reader counts lines and skips the byte order mark");
	free(mark);
}

static void test_field(void)
{
	static const char *const cases[][2] = { { "a b", "a b" }, { " a ", " a " },
		{ "a,b", "\"a,b\"" }, { "a\"b", "\"a\"\"b\"" }, { "a\nb", "\"a\nb\"" },
		{ "\r", "\"\r\"" }, { "'x'", "'x'" } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf b = { 0 };

		csv_reader_put_field(&b, text_of(cases[i][0]));
		tap_text(b.ptr, cases[i][1],
		    "csv_reader_put_field quotes a field only if necessary");
		buf_free(&b);
	}
}

static void test_groups(struct rng *r)
{
	enum { KEYS = 5000 };
	static size_t number[KEYS];
	struct schema schema;
	struct text cell[COL_FACTORS + 2];
	int wrong = 0;

	schema_init(&schema);
	size_t n = schema_add(&schema, TEXT("n"));
	struct groups *g = groups_open(&schema, &(struct group_by){ 0 });
	struct row row = { .schema = &schema, .cell = cell };

	schema_add(&schema, TEXT("late"));
	for (size_t i = 0; i < COUNT(cell); i++)
		cell[i] = (struct text){ "", 0 };
	for (int i = 0; i < 10 * KEYS; i++) {
		size_t key = i < KEYS ? (size_t)i : rng_below(r, KEYS);
		char *bench = str_format("b%zu", key / 100),
		     *factor = str_format("%zu", key % 100);

		cell[COL_BENCH] = text_of(bench);
		cell[n] = text_of(factor);
		size_t found = groups_find(g, &row);
		if (i < KEYS)
			number[key] = found;
		wrong += found != number[key] || found != key ||
		         !text_is(groups_cell(g, found, COL_BENCH), bench);
		free(bench);
		free(factor);
	}
	tap_ok(wrong == 0 && groups_count(g) == KEYS,
	    "groups_find finds each of 5,000 groups again");
	cell[n] = (struct text){ "", 0 };
	cell[COL_BENCH] = TEXT("b1");
	size_t without = groups_find(g, &row);
	cell[n + 1] = TEXT("1");
	tap_ok(without == KEYS && groups_find(g, &row) == KEYS + 1,
	    "groups_find treats an empty factor as an absent one");
	groups_close(g);
	schema_free(&schema);
}

static void test_rounds(void)
{
	enum { N = 4, ROUNDS = 12000 };
	bool wants[N] = { true, true, true, true };
	size_t round[N], first[N] = { 0 }, again[N];
	int whole = 0;
	struct rng r, same;

	rng_seed(&r, 3);
	rng_seed(&same, 3);
	for (int i = 0; i < ROUNDS; i++) {
		unsigned seen = 0;

		whole += schedule_round(ORDER_RANDOM, &r, wants, N, round) == N;
		schedule_round(ORDER_RANDOM, &same, wants, N, again);
		for (size_t k = 0; k < N; k++)
			seen |= 1u << round[k];
		whole -= seen != 15 || memcmp(round, again, sizeof(round)) != 0;
		first[round[0]]++;
	}
	tap_ok(whole == ROUNDS, "every random round has each subject once");
	for (size_t k = 0; k < N; k++)
		tap_ok(first[k] > ROUNDS / N - 250 && first[k] < ROUNDS / N + 250,
		    "subject %zu is the first of a fair share of random rounds", k);
	wants[1] = false;
	tap_ok(schedule_round(ORDER_INTERLEAVED, &r, wants, N, round) == 3 &&
	           round[0] == 0 && round[1] == 2 && round[2] == 3,
	    "an interleaved round keeps the order of subjects");
	tap_ok(schedule_round(ORDER_SEQUENTIAL, &r, wants, N, round) == 1 && round[0] == 0,
	    "a sequential round has one subject");
}

static void test_stopping(void)
{
	static const struct {
		struct stop_rule rule;
		uint64_t want; /* runs of 100 ns each, which take 200 ns of time */
		const char *what;
	} cases[] = { { { .runs = 7 }, 7, "a fixed number of runs" },
		{ { .runs = 7, .max_ns = 500 }, 3,
		    "a fixed number of runs with a limit of time" },
		{ { .min_runs = 10, .min_ns = 50 }, 10, "a least number of runs" },
		{ { .min_runs = 10, .min_ns = 2950 }, 30, "a least time" },
		{ { .min_runs = 10, .min_ns = 1e9, .max_ns = 1 }, 1,
		    "a limit that is shorter than a run" },
		{ { .min_runs = 10, .precision = 0.01, .confidence = 0.95 }, 10,
		    "a precision that is reached" } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct run_progress t = { 0 };

		while (run_progress_wants(&t, &cases[i].rule) && t.runs < 1000)
			run_progress_add(&t, 100, 200, true);
		tap_ok(t.runs == cases[i].want, "the rule of %s ends after %llu runs",
		    cases[i].what, (unsigned long long)t.runs);
		free(t.value);
	}
}

static void test_file_limit(void)
{
	static const char path[] = "/proc/self/exe";
	struct buf whole = { 0 }, limited = { 0 }, cut = { 0 };
	struct fault f = { 0 };

	tap_ok(file_read(path, &whole, &f) == 0 &&
	           file_read_up_to(path, whole.len, &limited, &f) == 0 &&
	           limited.len == whole.len,
	    "a file with as many bytes as the limit is read");
	tap_ok(file_read_up_to(path, whole.len - 1, &cut, &f) == -1 &&
	           strstr(f.text, "is larger than the limit"),
	    "a file with one byte more than the limit is refused");
	free(whole.ptr);
	free(limited.ptr);
	free(cut.ptr);
}

int main(void)
{
	struct rng r;

	rng_seed(&r, 2);
	test_sheet(&r);
	test_field();
	test_groups(&r);
	test_rounds();
	test_stopping();
	test_file_limit();
	return tap_end();
}
