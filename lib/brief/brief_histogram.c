/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws a histogram of one line; see brief_histogram.h.
 */
#include <math.h>
#include <stdlib.h>

#include "brief/brief_histogram.h"

enum { VALUES_LEAST = 3, COLUMNS_LEAST = 4 };

static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const marks[] = { ".", ":", "+", "#" };

/* Returns the number of columns that suit a number of values. */
static size_t columns_for(size_t count, size_t most)
{
	size_t columns = (size_t)ceil(2 * sqrt((double)count));

	columns = columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns;
	return columns < most ? columns : most;
}

static void put_column(struct buf *b, size_t count, size_t most, bool utf8)
{
	const char *const *step = utf8 ? blocks : marks;
	size_t steps = utf8 ? COUNT(blocks) : COUNT(marks);

	buf_str(b, count ? step[(count * steps + most - 1) / most - 1] : " ");
}

void brief_histogram_put(
    struct buf *b, const double *value, size_t count, size_t columns, bool utf8)
{
	double least = INFINITY, greatest = -INFINITY;
	size_t *bin, most = 0;

	for (size_t i = 0; i < count; i++) {
		least = fmin(least, value[i]);
		greatest = fmax(greatest, value[i]);
	}
	if (count < VALUES_LEAST || !columns || !(greatest > least))
		return;
	columns = columns_for(count, columns);
	bin = mem_zero(columns, sizeof(*bin));
	for (size_t i = 0; i < count; i++) {
		double part = (value[i] - least) / (greatest - least);
		size_t at = (size_t)(part * (double)columns);

		at = at < columns ? at : columns - 1;
		bin[at]++;
		most = bin[at] > most ? bin[at] : most;
	}
	for (size_t i = 0; i < columns; i++)
		put_column(b, bin[i], most, utf8);
	free(bin);
}
