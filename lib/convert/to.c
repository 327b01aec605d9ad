/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions shared by writers; see to.h.
 */
#include <errno.h>

#include "convert/to.h"
#include "record/row_builder.h"
#include "text/units.h"

/* Returns whether a string is the shortest text of a number. */
static bool is_shortest(struct text t, double *x)
{
	char shortest[NUMBER_TEXT_MAX];

	return number_parse(t, x) &&
	       text_equal((struct text){ shortest, number_print(shortest, *x) }, t);
}

static void write_text(struct text_sink *sink, const struct buf *text, size_t len)
{
	errno = 0;
	if (!sink->error && fwrite(text->ptr, 1, len, sink->out) != len)
		sink->error = errno ? errno : EIO;
}

void text_sink_take(struct text_sink *sink, struct buf *text)
{
	enum { LONG = 1 << 16 };

	if (!sink || text->len < LONG)
		return;
	write_text(sink, text, text->len - 1);
	text->ptr[0] = text->ptr[text->len - 1];
	text->len = 1;
}

int text_sink_close(struct text_sink *sink, struct buf *text, struct fault *f)
{
	write_text(sink, text, text->len);
	if (!sink->error && fflush(sink->out) != 0)
		sink->error = errno;
	if (!sink->error)
		return 0;
	errno = sink->error;
	return fault_set(f, "standard output");
}

void put_factors(const struct groups *groups, size_t group, bool numbers, struct buf *out)
{
	const struct schema *schema = groups_schema(groups);
	const char *between = "";

	for (size_t i = COL_FACTORS; i < schema->count; i++) {
		struct text value = groups_cell(groups, group, i);
		double x;

		if (!value.len)
			continue;
		buf_str(out, between);
		doc_put_text(out, text_of(schema->name[i]));
		buf_str(out, ": ");
		if (numbers && is_shortest(value, &x))
			doc_put_number(out, x);
		else
			doc_put_text(out, value);
		between = ", ";
	}
}
