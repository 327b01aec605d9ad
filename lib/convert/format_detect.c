/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens inputs only for their formats; see format_detect.h.
 */
#include <stdlib.h>

#include "convert/format_detect.h"
#include "convert/inputs_priv.h"

/* Adds the row of a file, whose format is NULL if it is not known. */
static void put_format(struct render *r, const char *file, const struct format *format)
{
	const char *convert = "";

	if (format)
		convert = format->is_own ? "no" : "yes";
	render_row(r, (struct cell[]){ CELL_OF_TEXT(text_of(file)),
	                  CELL_OF_TEXT(text_of(format ? format->name : "")),
	                  CELL_OF_TEXT(text_of(convert)) });
}

/* Lists one input, or its documents. Returns 0, or -1 if it has no known format. */
static int detect_input(const struct convert *c, const struct convert_input *in,
    struct render *r, struct buf *notes)
{
	struct convert_input named = *in;
	struct inputs inputs = { 0 };
	struct buf ignored = { 0 }; /* notes about what a conversion would leave out */
	struct fault f;

	named.in_directory = false; /* so that it is not skipped */
	const int status = inputs_open(&inputs, c, &named, 1, &ignored, &f);

	for (size_t i = 0; i < inputs.count && status == 0; i++)
		put_format(r, inputs.input[i].s.name, inputs.input[i].from);
	if (status < 0) {
		put_format(r, in->name, NULL);
		inputs_flatten_message(&f);
		buf_printf(notes, "%s\n", f.text);
	}
	inputs_drop(&inputs, 0);
	free(inputs.input);
	buf_free(&ignored);
	return status;
}

int formats_detect(const struct convert *c, const struct convert_input *in, size_t count,
    const struct output *out, struct buf *notes)
{
	static const struct render_column columns[] = { { .name = "file" },
		{ .name = "format" }, { .name = "convert" } };
	struct render *r = render_open(out, columns, COUNT(columns));
	int unknown = 0;

	for (size_t i = 0; i < count; i++)
		unknown += detect_input(c, &in[i], r, notes) < 0;
	return render_close(r) < 0 ? -1 : unknown;
}
