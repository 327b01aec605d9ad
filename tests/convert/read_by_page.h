/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a file by a page of formats and checks the rules that this keeps for any page and
 * file.
 */
#ifndef TESTS_CONVERT_READ_BY_PAGE_H
#define TESTS_CONVERT_READ_BY_PAGE_H

#include "convert/format_page.h"
#include "convert/format_reader.h"

static int count_row(void *ctx, const struct row *row, struct fault *f)
{
	size_t *rows = ctx;

	(void)row;
	(void)f;
	++*rows;
	return 0;
}

/* Returns whether a rejection has a message of one line. */
static bool is_rejected(const struct fault *f)
{
	return f->text[0] && !strchr(f->text, '\n');
}

/* Reads a file by its page in both passes. Returns whether it is rejected, or both passes
 * have the same number of rows. */
static bool reads_twice(const struct source *s, size_t *rows)
{
	struct fault f = { .text = "" };
	struct row_builder builder;
	bool fine = true;

	*rows = 0;
	row_builder_init(&builder);
	if (format_page_read(s, &builder, &f) < 0) {
		fine = f.text[0] != '\0';
	} else {
		uint64_t learned = builder.count;

		row_builder_again(&builder, count_row, rows);
		fine = format_page_read(s, &builder, &f) == 0 && *rows == learned;
	}
	row_builder_free(&builder);
	return fine;
}

#endif
