/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions on the columns of rows; see row_conditions.h. Most columns have few different
 * strings, so each string is compared with the patterns only once.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "record/row_conditions.h"
#include "text/near_name.h"
#include "text/stamp.h"
#include "text/units.h"

enum condition_operator { EQUAL, DIFFERENT, AT_MOST, LESS, AT_LEAST, MORE };

/* A longer operator comes before the one with which it begins. */
static const struct {
	const char *text;
	enum condition_operator op;
} operators[] = {
	{ "==", EQUAL },
	{ "=", EQUAL },
	{ "!=", DIFFERENT },
	{ "<=", AT_MOST },
	{ "<", LESS },
	{ ">=", AT_LEAST },
	{ ">", MORE },
};

struct alternative {
	char *glob;
	bool is_number, matched;
	double number;
};

struct condition {
	const char *text;
	char *column;
	enum condition_operator op;
	const char *right;               /* after the operator */
	struct alternative *alternative; /* of EQUAL and DIFFERENT */
	size_t count, cap;
	bool is_time;         /* the limit is a time */
	int64_t time;         /* in ns */
	double limit;         /* of the other operators */
	long id;              /* of the column; -1: no table has it so far */
	size_t columns;       /* of the schema when the column was last looked up */
	bool compared, met;   /* some cell could be compared; some cell met the condition */
	struct intern cells;  /* different strings of the column, for patterns */
	bool *meets;          /* by the number of a string */
	size_t seen, cap_met; /* of meets */
	size_t last;          /* number of the previous row's text */
};

struct row_conditions {
	struct condition *condition;
	size_t count;
	const struct schema *schema; /* of the rows */
	uint64_t rows, selected;
};

static bool compares(enum condition_operator op)
{
	return op != EQUAL && op != DIFFERENT;
}

static int take_patterns(struct condition *c, struct fault *f)
{
	for (const char *at = c->right;; at++) {
		size_t len = strcspn(at, ",");
		struct alternative *a = VEC_ADD(c->alternative, c->count, c->cap);

		*a = (struct alternative){ .glob = mem_text(at, len) };
		a->is_number = number_parse((struct text){ at, len }, &a->number);
		if (!len && *c->right)
			return fault_set(
			    f, "--filter '%s': the list has an empty pattern", c->text);
		at += len;
		if (!*at)
			return 0;
	}
}

static int take_limit(struct condition *c, int64_t now_ns, struct fault *f)
{
	int status;

	c->is_time = strcmp(c->column, "time") == 0;
	status = c->is_time ? stamp_option(c->right, now_ns, &c->time, f)
	                    : units_number(c->right, &c->limit, f);
	return status < 0 ? fault_prefix(f, "--filter '%s'", c->text) : 0;
}

static int parse_condition(
    struct condition *c, const char *text, int64_t now_ns, struct fault *f)
{
	size_t column = strcspn(text, "=!<>"), name = column, i = 0;

	*c = (struct condition){ .text = text, .id = -1 };
	while (i < COUNT(operators) &&
	       strncmp(text + column, operators[i].text, strlen(operators[i].text)) != 0)
		i++;
	while (name && text[name - 1] == ' ')
		name--;
	if (!name || i == COUNT(operators))
		return fault_set(f,
		    "--filter '%s' is not a condition: write a column, one of = != < <= > "
		    ">= and a value, in quotes, as in --filter 'n>=1000'",
		    text);
	c->column = mem_text(text, name);
	c->op = operators[i].op;
	c->right = text + column + strlen(operators[i].text);
	c->right += strspn(c->right, " ");
	if (strcmp(c->column, "value") == 0)
		return fault_set(f,
		    "--filter '%s': rows cannot be chosen by their value, because all "
		    "statistics of the chosen values would be biased",
		    text);
	return compares(c->op) ? take_limit(c, now_ns, f) : take_patterns(c, f);
}

struct row_conditions *row_conditions_open(
    const char *const *condition, size_t count, int64_t now_ns, struct fault *f)
{
	struct row_conditions *c = mem_zero(1, sizeof(*c));

	c->condition = mem_zero(count, sizeof(*c->condition));
	while (c->count < count) {
		size_t i = c->count++;

		if (parse_condition(&c->condition[i], condition[i], now_ns, f) < 0) {
			row_conditions_close(c);
			return NULL;
		}
	}
	return c;
}

/* Returns whether a string is equal to an alternative, and marks all that are. */
static bool equals_any(struct condition *c, struct text t)
{
	char *cell = mem_text(t.ptr, t.len);
	double number;
	bool is_number = number_parse(t, &number), any = strcmp(c->right, cell) == 0;

	for (size_t i = 0; i < c->count; i++) {
		struct alternative *a = &c->alternative[i];

		if (strcmp(c->right, cell) == 0 || fnmatch(a->glob, cell, 0) == 0 ||
		    (is_number && a->is_number && a->number == number))
			any = a->matched = true;
	}
	free(cell);
	return any;
}

/* Returns the sign of the cell minus the limit; or 2 if they cannot be compared. */
static int order_of(const struct condition *c, struct text cell)
{
	int64_t ns;
	int digits;
	double number;

	if (c->is_time)
		return stamp_parse(cell, &ns, &digits) ? (ns > c->time) - (ns < c->time)
		                                       : 2;
	return number_parse(cell, &number) ? (number > c->limit) - (number < c->limit) : 2;
}

/* Returns whether a cell is on the right side of the limit. */
static bool is_within(struct condition *c, struct text cell)
{
	int order = order_of(c, cell);

	if (order == 2)
		return false;
	c->compared = true;
	return c->op == LESS      ? order < 0
	       : c->op == AT_MOST ? order <= 0
	       : c->op == MORE    ? order > 0
	                          : order >= 0;
}

/* Returns whether a cell matches the patterns as it should. */
static bool matches(struct condition *c, struct text cell)
{
	if (!c->seen || !text_equal(cell, intern_text(&c->cells, c->last))) {
		c->last = intern_add(&c->cells, cell);
		if (c->last == c->seen)
			*VEC_ADD(c->meets, c->seen, c->cap_met) =
			    equals_any(c, cell) == (c->op == EQUAL);
	}
	return c->meets[c->last];
}

/* Prints a number of a row that is not among its cells. Returns "" for none. */
static struct text integer_text(char out[24], int64_t number)
{
	int len = number == ROW_NONE ? 0 : snprintf(out, 24, "%" PRId64, number);

	return (struct text){ out, (size_t)len };
}

static struct text cell_of(
    const struct condition *c, const struct row *row, char out[NUMBER_TEXT_MAX])
{
	switch (c->id) {
	case COL_PROCESS:
		return integer_text(out, row->process);
	case COL_SAMPLE:
		return integer_text(out, row->sample);
	case COL_T:
		return integer_text(out, row->t);
	case COL_ITERATIONS:
		return integer_text(out, row->iterations);
	case COL_RUNNING_PCT:
		return (struct text){ out,
			row->has_running_pct ? number_print(out, row->running_pct) : 0 };
	case COL_STATUS:
		return row->cell[c->id].len ? row->cell[c->id] : TEXT("ok");
	default:
		return row->cell[c->id];
	}
}

/* Returns whether a row meets a condition. A row without the column has an empty cell. */
static bool row_meets(struct condition *c, const struct row *row)
{
	char number[NUMBER_TEXT_MAX];
	struct text cell = TEXT("");
	bool met;

	if (c->id < 0 && c->columns != row->schema->count) {
		c->columns = row->schema->count;
		c->id = schema_find(row->schema, text_of(c->column));
	}
	if (c->id >= 0)
		cell = cell_of(c, row, number);
	met = compares(c->op) ? is_within(c, cell) : matches(c, cell);
	c->met |= met;
	return met;
}

bool row_conditions_met(struct row_conditions *c, const struct row *row)
{
	bool all = true;

	if (!c)
		return true;
	for (size_t i = 0; i < c->count; i++)
		all &= row_meets(&c->condition[i], row);
	c->schema = row->schema;
	c->rows++;
	c->selected += all;
	return all;
}

/* Sets the message about a pattern that matched nothing, with the strings that exist. */
static int no_match(const struct condition *c, const char *glob, struct fault *f)
{
	struct known_names known = { 0 };
	char *what = str_format("--filter: the column %s never has", c->column);

	for (size_t i = 0; i < c->cells.count; i++)
		if (intern_text(&c->cells, i).len)
			known_names_add(&known, intern_text(&c->cells, i));
	unknown_name(f, what, text_of(glob), &known);
	free(what);
	return -1;
}

static int check_condition(
    const struct condition *c, const struct schema *schema, struct fault *f)
{
	if (c->id < 0)
		return schema_unknown(
		    schema, "--filter: the input has no column", text_of(c->column), f);
	for (size_t i = 0; c->op == EQUAL && i < c->count; i++)
		if (!c->alternative[i].matched)
			return no_match(c, c->alternative[i].glob, f);
	if (compares(c->op) && !c->compared)
		return fault_set(f, "--filter '%s': no row has a %s in the column %s",
		    c->text, c->is_time ? "time" : "number", c->column);
	if (!c->met)
		return fault_set(f, "--filter '%s': no row meets this condition", c->text);
	return 0;
}

int row_conditions_check(const struct row_conditions *c, struct fault *f)
{
	if (!c || !c->rows)
		return 0;
	for (size_t i = 0; i < c->count; i++)
		if (check_condition(&c->condition[i], c->schema, f) < 0)
			return -1;
	if (!c->selected)
		return fault_set(f, "--filter: no row meets all %zu conditions", c->count);
	return 0;
}

void row_conditions_close(struct row_conditions *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++) {
		struct condition *one = &c->condition[i];

		for (size_t k = 0; k < one->count; k++)
			free(one->alternative[k].glob);
		free(one->alternative);
		free(one->column);
		intern_free(&one->cells);
		free(one->meets);
	}
	free(c->condition);
	free(c);
}
