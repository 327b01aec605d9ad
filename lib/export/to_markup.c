/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a table in a markup language: for each subject and metric the median, its
 * interval, and the smallest and largest value. Factors that all subjects share are below
 * the table. Each language is a row of a table.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/to.h"
#include "text/markup.h"
#include "text/org_markup.h"
#include "text/units.h"

struct markup {
	const char *head, *row_end, *tail;
	void (*put_text)(struct buf *b, struct text t);
};

#define NAMES "| benchmark | metric | n | median | from | to | min | max"

static const struct markup markdown = {
	.head = NAMES " |\n"
	              "|---|---|--:|--:|--:|--:|--:|--:|\n",
	.row_end = " |\n",
	.tail = "",
	.put_text = markdown_text,
};
/* A space before each "|" keeps the end of a cell from being read as a style of the next.
 */
static const struct markup asciidoc = {
	.head = "[cols=\"2*<,6*>\",options=\"header\"]\n"
	        "|===\n" NAMES "\n",
	.row_end = "\n",
	.tail = "|===\n",
	.put_text = asciidoc_text,
};
static const struct markup org = {
	.head = NAMES " |\n"
	              "| | | <r> | <r> | <r> | <r> | <r> | <r> |\n"
	              "|---+---+---+---+---+---+---+---|\n",
	.row_end = " |\n",
	.tail = "",
	.put_text = org_text,
};

static void put_value(
    struct buf *out, double x, struct text unit, const struct markup *markup)
{
	char text[64], name[64];

	buf_str(out, " | ");
	if (!isfinite(x))
		return;
	snprintf(name, sizeof(name), "%.*s", (int)unit.len, unit.ptr);
	markup->put_text(
	    out, (struct text){ text, units_print(text, sizeof(text), x, name) });
}

/* Returns, by column, whether all subjects, of which there are several, have the same
 * value. Allocated. */
static bool *find_shared(const struct subject_values *t)
{
	const size_t columns = groups_schema(t->groups)->count;
	bool *shared = mem_zero(columns + 1, sizeof(*shared));

	for (size_t i = COL_FACTORS; i < columns && t->by_subject.count > 1; i++)
		shared[i] =
		    groups_constant(t->groups, i) && groups_cell(t->groups, 0, i).len > 0;
	return shared;
}

static void put_shared(const struct subject_values *t, const bool *shared,
    const struct markup *markup, struct buf *out)
{
	const struct schema *schema = groups_schema(t->groups);
	const char *before = "\nIn all rows: ";

	for (size_t i = COL_FACTORS; i < schema->count; i++) {
		struct buf factor = { 0 };

		if (!shared[i])
			continue;
		buf_printf(&factor, "%s=", schema->name[i]);
		buf_text(&factor, groups_cell(t->groups, 0, i));
		buf_str(out, before);
		markup->put_text(out, text_in(&factor));
		buf_free(&factor);
		before = ", ";
	}
	if (*before == ',')
		buf_byte(out, '\n');
}

static void put_row(const struct subject_values *t, size_t i, const bool *shared,
    const struct markup *markup, struct buf *out)
{
	const struct text unit = subject_values_unit(t, i);
	struct buf name = { 0 };
	struct summary s;

	subject_values_summary(&t->of[i], &s);
	subject_name(t->groups, i, "=", shared, &name);
	buf_str(out, "| ");
	markup->put_text(out, text_in(&name));
	buf_str(out, " | ");
	markup->put_text(out, subject_values_metric(t, i));
	buf_printf(out, " | %zu", t->of[i].count);
	put_value(out, s.median, unit, markup);
	put_value(out, s.ci_lo, unit, markup);
	put_value(out, s.ci_hi, unit, markup);
	put_value(out, s.min, unit, markup);
	put_value(out, s.max, unit, markup);
	buf_str(out, markup->row_end);
	buf_free(&name);
}

static int put_table(
    const struct subject_values *t, const struct markup *markup, struct buf *out)
{
	bool *shared = find_shared(t);

	buf_str(out, markup->head);
	for (size_t i = 0; i < t->count; i++)
		put_row(t, i, shared, markup, out);
	buf_str(out, markup->tail);
	put_shared(t, shared, markup, out);
	free(shared);
	return 0;
}

static int markdown_write(const struct subject_values *t, struct buf *out, struct fault *f)
{
	(void)f;
	return put_table(t, &markdown, out);
}

static int asciidoc_write(const struct subject_values *t, struct buf *out, struct fault *f)
{
	(void)f;
	return put_table(t, &asciidoc, out);
}

static int org_write(const struct subject_values *t, struct buf *out, struct fault *f)
{
	(void)f;
	return put_table(t, &org, out);
}

const struct format format_markdown = {
	.name = "markdown", .meaning = "a table in Markdown", .write = markdown_write
};
const struct format format_asciidoc = {
	.name = "asciidoc", .meaning = "a table in AsciiDoc", .write = asciidoc_write
};
const struct format format_org = {
	.name = "org", .meaning = "a table of Emacs Org mode", .write = org_write
};
