/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inputs of a conversion: files, or the JSON documents of a file, with their formats.
 */
#ifndef CONVERT_INPUTS_PRIV_H
#define CONVERT_INPUTS_PRIV_H

#include "convert/convert.h"

/* An input whose format is known. */
struct input {
	struct source s;
	const struct format *from;
	struct json_t *doc; /* NULL: not JSON */
	struct buf plain;   /* the text if it was compressed */
	char *own_name;     /* if it is one of the documents of a file; else NULL */
	bool in_directory;
	size_t lines_before; /* the JSON, which are not read */
	char run[17];        /* of its rows that have none; "": it is the only input */
};

struct inputs {
	struct input *input;
	size_t count, cap;
	const struct format *from; /* of all; NULL: recognized */
	const struct format *to;
	uint64_t unpacked; /* bytes of those that were compressed */
};

/* Opens all inputs and recognizes their formats. Those in directories that cannot be read
 * are notes, one a line. Returns 0, or -1 and the message. Call inputs_drop() in both
 * cases. */
int inputs_open(struct inputs *inputs, const struct convert *c,
    const struct convert_input *in, size_t count, struct buf *notes, struct fault *f);
/* Frees the inputs from this position on. */
void inputs_drop(struct inputs *inputs, size_t from);
/* Makes a message one line, even if names contain newlines. */
void inputs_flatten_message(struct fault *f);

#endif
