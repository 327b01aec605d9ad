/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of cells; see cell.h. */
#include <math.h>

#include "io/cell.h"
#include "text/units.h"

bool cell_missing(const struct cell *c)
{
	return c->kind == CELL_EMPTY || (c->kind == CELL_NUMBER && !isfinite(c->number));
}

/* Appends an integer, faster than snprintf(), because rows have several. */
static void put_integer(struct buf *b, int64_t number)
{
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
	char text[24];
	size_t at = sizeof(text);

	do
		text[--at] = (char)('0' + rest % 10);
	while (rest /= 10);
	if (number < 0)
		text[--at] = '-';
	buf_put(b, text + at, sizeof(text) - at);
}

void cell_put_number(struct buf *b, const struct cell *c)
{
	char text[NUMBER_TEXT_MAX];

	if (c->kind == CELL_INTEGER)
		put_integer(b, c->integer);
	else
		buf_put(b, text, number_print(text, c->number));
}
