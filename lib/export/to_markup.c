/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a table in a markup language: for each subject and metric the median, its
 * interval, and the smallest and largest value. Each language is a row of a table.
 */
#include <math.h>

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

static void put_row(
    const struct subject_values *t, size_t i, const struct markup *markup, struct buf *out)
{
	const struct text unit = subject_values_unit(t, i);
	struct buf name = { 0 };
	struct summary s;

	subject_values_summary(&t->of[i], &s);
	subject_values_name(t, i, "=", &name);
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
	buf_str(out, markup->head);
	for (size_t i = 0; i < t->count; i++)
		put_row(t, i, markup, out);
	buf_str(out, markup->tail);
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
