/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a table in Markdown: for each subject and metric the median, its interval, and the
 * smallest and largest value.
 */
#include <math.h>

#include "convert/to.h"
#include "text/markup.h"
#include "text/units.h"

static void put_value(struct buf *out, double x, struct text unit)
{
	char text[64], name[64];

	buf_str(out, " | ");
	if (!isfinite(x))
		return;
	snprintf(name, sizeof(name), "%.*s", (int)unit.len, unit.ptr);
	markdown_text(out, (struct text){ text, units_print(text, sizeof(text), x, name) });
}

static int markdown_write(const struct subject_values *t, struct buf *out, struct fault *f)
{
	(void)f;
	buf_str(out, "| benchmark | metric | n | median | from | to | min | max |\n"
	             "|---|---|--:|--:|--:|--:|--:|--:|\n");
	for (size_t i = 0; i < t->count; i++) {
		struct text unit = subject_values_unit(t, i);
		struct buf name = { 0 };
		struct summary s;

		subject_values_summary(&t->of[i], &s);
		subject_values_name(t, i, "=", &name);
		buf_str(out, "| ");
		markdown_text(out, (struct text){ name.ptr, name.len });
		buf_str(out, " | ");
		markdown_text(out, subject_values_metric(t, i));
		buf_printf(out, " | %zu", t->of[i].count);
		put_value(out, s.median, unit);
		put_value(out, s.ci_lo, unit);
		put_value(out, s.ci_hi, unit);
		put_value(out, s.min, unit);
		put_value(out, s.max, unit);
		buf_str(out, " |\n");
		buf_free(&name);
	}
	return 0;
}

const struct format format_markdown = {
	.name = "markdown", .meaning = "a table in Markdown", .write = markdown_write
};
