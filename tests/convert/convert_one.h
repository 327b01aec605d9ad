/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts a text and checks the rules that the conversion of any text keeps: a
 * text that is rejected has one line as the message and no output; any other has output,
 * and its notes are whole lines.
 */
#ifndef TESTS_CONVERT_CONVERT_ONE_H
#define TESTS_CONVERT_CONVERT_ONE_H

#include <stdio.h>
#include <stdlib.h>

#include "convert/convert.h"

/* The result of a conversion. Zero it to begin; it can be used many times. */
struct conversion {
	struct buf out;
	struct fault message; /* why the text was rejected */
	bool has_notes;       /* for the user */
	const char *broken;   /* the rule that was not kept; NULL: all were kept */
};

/* Returns the first rule that a conversion broke, or NULL. */
static const char *find_broken(const struct convert *c, const struct conversion *r,
    const struct buf *notes, int status)
{
	if (status < 0)
		return !r->message.text[0]             ? "no message"
		       : strchr(r->message.text, '\n') ? "a message of several lines"
		       : r->out.len                    ? "output of a rejected file"
		                                       : NULL;
	/* A table may have no rows. */
	if (!r->out.len && strcmp(c->to, "json-lines") != 0)
		return "no output";
	return notes->len && notes->ptr[notes->len - 1] != '\n' ? "a note without an end"
	                                                        : NULL;
}

/* Converts a text. Returns 0, or -1 if it was rejected. */
static int convert_one(const struct convert *c, struct text t, struct conversion *r)
{
	struct convert_input in = { .name = "a file", .text = t };
	struct buf notes = { 0 };
	char *text = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&text, &len);
	int status;

	r->message.text[0] = '\0';
	status =
	    convert_inputs(c, &in, 1, &OUTPUT_OF(stream, RENDER_CSV), &notes, &r->message);
	fclose(stream);
	r->out.len = 0;
	buf_put(&r->out, text, len);
	r->has_notes = notes.len > 0;
	r->broken = find_broken(c, r, &notes, status);
	free(text);
	buf_free(&notes);
	return status;
}

static void conversion_free(struct conversion *r)
{
	buf_free(&r->out);
}

#endif
