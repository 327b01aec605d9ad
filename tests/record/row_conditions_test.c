/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions on the columns of rows.
 */
#include "record/row_conditions.h"
#include "tests/lib/tap.h"
#include "text/stamp.h"
#include "text/units.h"

static struct schema schema;
static size_t factor; /* the column n */

static int64_t now(void)
{
	int64_t ns = 0;
	int digits;

	stamp_parse(text_of("2026-11-29"), &ns, &digits);
	return ns;
}

/* Returns whether a row with this text in a column meets the conditions. */
static bool meets(struct row_conditions *c, size_t column, const char *text)
{
	struct text cell[COL_FACTORS + 1] = { 0 };
	struct row row = { .schema = &schema,
		.cell = cell,
		.process = ROW_NONE,
		.sample = ROW_NONE,
		.t = ROW_NONE,
		.iterations = ROW_NONE };

	if (column == COL_SAMPLE && *text)
		integer_parse(text_of(text), &row.sample);
	else
		cell[column] = text_of(text);
	return row_conditions_met(c, &row);
}

static void test_cells(void)
{
	static const struct {
		const char *condition;
		size_t column; /* COL_FACTORS: n */
		const char *cell;
		bool met;
	} cases[] = {
		{ "n=1000", COL_FACTORS, "1000", true },
		{ "n=1000", COL_FACTORS, "1e3", true },
		{ "n==1000", COL_FACTORS, "1000.0", true },
		{ "n=1000", COL_FACTORS, "1000x", false },
		{ "n=1000", COL_FACTORS, "", false },
		{ "n=1,2", COL_FACTORS, "2", true },
		{ "n=a,b", COL_FACTORS, "a,b", true },
		{ "n=a,b", COL_FACTORS, "c", false },
		{ "n=a*", COL_FACTORS, "a/b", true },
		{ "n=", COL_FACTORS, "", true },
		{ "n=", COL_FACTORS, "x", false },
		{ "n!=a*", COL_FACTORS, "b", true },
		{ "n!=a*", COL_FACTORS, "", true },
		{ "n!=a*", COL_FACTORS, "ab", false },
		{ "n!=5", COL_FACTORS, "5.0", false },
		{ "n<10", COL_FACTORS, "9", true },
		{ "n<10", COL_FACTORS, "10", false },
		{ "n<10", COL_FACTORS, "nine", false },
		{ "n<10", COL_FACTORS, "", false },
		{ "n<=10", COL_FACTORS, "10", true },
		{ "n<=10", COL_FACTORS, "10.5", false },
		{ "n>1k", COL_FACTORS, "1001", true },
		{ "n>1k", COL_FACTORS, "1000", false },
		{ "n>=-2", COL_FACTORS, "-2", true },
		{ "n>=-2", COL_FACTORS, "-2.5", false },
		{ "n>1", COL_FACTORS, "100000000000000000001", true },
		{ "status=ok", COL_STATUS, "", true },
		{ "status=ok", COL_STATUS, "ok", true },
		{ "status!=ok", COL_STATUS, "exit=1", true },
		{ "status=exit*", COL_STATUS, "exit=1", true },
		{ "sample>=5", COL_SAMPLE, "5", true },
		{ "sample>=5", COL_SAMPLE, "-1", false },
		{ "sample>=5", COL_SAMPLE, "", false },
		{ "sample=3,4", COL_SAMPLE, "4", true },
		{ "time>=30d", COL_TIME, "2026-10-31T00:00:00Z", true },
		{ "time>=30d", COL_TIME, "2026-10-29T23:00:00Z", false },
		{ "time<2026-01-31", COL_TIME, "2026-01-30T23:59:59.999Z", true },
		{ "time<2026-01-31", COL_TIME, "2026-01-31T00:30:00+01:00", true },
		{ "time<2026-01-31", COL_TIME, "2026-01-31", false },
		{ "time=2026-01*", COL_TIME, "2026-01-31", true },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct fault f;
		struct row_conditions *c =
		    row_conditions_open(&cases[i].condition, 1, now(), &f);
		size_t column = cases[i].column == COL_FACTORS ? factor : cases[i].column;

		tap_ok(c && meets(c, column, cases[i].cell) == cases[i].met,
		    "a cell with '%s' %s %s", cases[i].cell,
		    cases[i].met ? "meets" : "does not meet", cases[i].condition);
		row_conditions_close(c);
	}
}

static void test_faults(void)
{
	static const struct {
		const char *condition, *part;
	} cases[] = {
		{ "n", "--filter 'n' is not a condition" },
		{ "", "--filter '' is not a condition" },
		{ "=5", "--filter '=5' is not a condition" },
		{ "n!5", "--filter 'n!5' is not a condition" },
		{ "n>many", "--filter 'n>many': " },
		{ "n>", "--filter 'n>': " },
		{ "n=1,,2", "--filter 'n=1,,2': the list has an empty pattern" },
		{ "n=1,", "--filter 'n=1,': the list has an empty pattern" },
		{ "time>soon", "--filter 'time>soon': " },
		{ "value<9", "--filter 'value<9': rows cannot be chosen by their value" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct fault f = { "" };

		tap_ok(!row_conditions_open(&cases[i].condition, 1, now(), &f) &&
		           strstr(f.text, cases[i].part) == f.text,
		    "the condition '%s' is rejected: %s", cases[i].condition, f.text);
	}
}

static void test_checks(void)
{
	static const struct {
		const char *condition[2];
		const char *message; /* "": none */
	} cases[] = {
		{ { "n=1", "n<9" }, "" },
		{ { "n!=1", "n!=7" }, "" },
		{ { "n=1,3", "n<9" },
		    "--filter: the column n never has '3' (there are: 1, 2, a)" },
		{ { "m=1", "n<9" }, "--filter: the input has no column 'm'" },
		{ { "n>2", "n<9" }, "--filter 'n>2': no row meets this condition" },
		{ { "env>2", "n<9" },
		    "--filter 'env>2': no row has a number in the column env" },
		{ { "time>1d", "n<9" },
		    "--filter 'time>1d': no row has a time in the column time" },
		{ { "n!=*", "n<9" }, "--filter 'n!=*': no row meets this condition" },
		{ { "n=1", "n=2" }, "--filter: no row meets all 2 conditions" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct fault f = { "" };
		struct row_conditions *c =
		    row_conditions_open(cases[i].condition, 2, now(), &f);

		tap_ok(row_conditions_check(c, &f) == 0,
		    "the conditions %s and %s of no rows pass their check",
		    cases[i].condition[0], cases[i].condition[1]);
		meets(c, factor, "1");
		meets(c, factor, "2");
		meets(c, factor, "a");
		meets(c, factor, "1");
		tap_ok((row_conditions_check(c, &f) < 0) == (*cases[i].message != '\0') &&
		           strstr(f.text, cases[i].message) == f.text,
		    "the conditions %s and %s of three rows give the message '%s'",
		    cases[i].condition[0], cases[i].condition[1], f.text);
		row_conditions_close(c);
	}
	tap_ok(row_conditions_check(NULL, NULL) == 0, "no conditions pass their check");
}

int main(void)
{
	schema_init(&schema);
	factor = schema_add(&schema, TEXT("n"));
	test_cells();
	test_faults();
	test_checks();
	schema_free(&schema);
	return tap_end();
}
