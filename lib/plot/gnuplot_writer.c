/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes variables, arrays and data blocks of a script; see gnuplot_writer_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "plot/gnuplot_writer_priv.h"
#include "text/units.h"

void gnuplot_put_number(struct gnuplot_writer *w, double x)
{
	char text[NUMBER_TEXT_MAX];

	if (isfinite(x))
		buf_put(&w->commands, text, number_print(text, x));
	else
		buf_str(&w->commands, "NaN");
}

void gnuplot_put_numbers(struct gnuplot_writer *w, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_str(&w->commands, i ? " " : "");
		gnuplot_put_number(w, x[i]);
	}
	buf_byte(&w->commands, '\n');
}

void gnuplot_set_number(struct gnuplot_writer *w, const char *name, double x)
{
	buf_printf(&w->commands, "%s = ", name);
	gnuplot_put_number(w, x);
	buf_byte(&w->commands, '\n');
}

void gnuplot_set_text(struct gnuplot_writer *w, const char *name, const char *text)
{
	buf_printf(&w->said, ">%s\n", text);
	buf_printf(&w->commands, "%s = said(%zu)\n", name, ++w->texts);
}

/* An array of gnuplot cannot be empty, so it has at least one element; NAME_count has the
 * real number. */
void gnuplot_set_array(struct gnuplot_writer *w, const char *name, size_t count)
{
	buf_printf(&w->commands, "%s_count = %zu\narray %s[%zu]\n", name, count, name,
	    count ? count : 1);
}

void gnuplot_set_texts(
    struct gnuplot_writer *w, const char *name, char *const *text, size_t count)
{
	gnuplot_set_array(w, name, count);
	for (size_t i = 0; i < count; i++) {
		char *element = str_format("%s[%zu]", name, i + 1);

		gnuplot_set_text(w, element, text[i]);
		free(element);
	}
}

void gnuplot_set_numbers(
    struct gnuplot_writer *w, const char *name, const double *x, size_t count)
{
	gnuplot_set_array(w, name, count);
	for (size_t i = 0; i < count; i++) {
		char *element = str_format("%s[%zu]", name, i + 1);

		gnuplot_set_number(w, element, x[i]);
		free(element);
	}
}

/* Returns whether the text from a byte on has no lines that are not blank. */
static bool is_blank(const struct buf *b, size_t from)
{
	while (from < b->len && b->ptr[from] == '\n')
		from++;
	return from == b->len;
}

/*
 * A series without lines still needs its index. It gets a line far outside the plot,
 * because gnuplot 5.4 crashes on labels at NaN.
 */
void gnuplot_put_block(struct gnuplot_writer *w, const char *name, const char *columns,
    void (*put)(struct gnuplot_writer *w, size_t mark))
{
	buf_printf(&w->commands, "$%s << EOD\n# %s\n", name, columns);
	for (size_t k = 0; k < w->l->series_count; k++) {
		size_t before;

		buf_str(&w->commands, k ? "\n\n" : "");
		before = w->commands.len;
		for (size_t i = 0; i < w->fig->marks; i++)
			if (w->fig->mark[i].series == w->l->series[k])
				put(w, i);
		if (is_blank(&w->commands, before)) {
			w->commands.len = before;
			buf_str(&w->commands, "1e9 1e9 1e9 1e9 1e9 1e9 1e9 1e9 1e9\n");
		}
	}
	buf_str(&w->commands, "EOD\n");
}
