/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes CSV of tables of JSON; see json_csv.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/intern.h"
#include "io/csv_reader.h"
#include "io/json_csv.h"
#include "io/json_rows.h"

struct json_csv {
	struct csv_reader *reader;
	struct intern names; /* of the columns of the current table */
	size_t *place;       /* of the members of an object among them */
	struct text *cell;   /* of a row, by column */
	json_csv_whole *whole;
	struct buf *out;
};

static void put_record(struct json_csv *c)
{
	int64_t whole;

	for (size_t i = 0; i < c->names.count; i++) {
		if (i)
			buf_byte(c->out, ',');
		if (c->whole(intern_text(&c->names, i), c->cell[i], &whole))
			buf_printf(c->out, "%" PRId64, whole);
		else
			csv_reader_put_field(c->out, c->cell[i]);
	}
	if (c->names.count == 1 && !c->cell[0].len)
		buf_str(c->out, "\"\"");
	buf_byte(c->out, '\n');
}

/* Finds the columns of an object's members, and writes a header if some are new. */
static void take_header(struct json_csv *c, const struct text *field, size_t count)
{
	size_t known;

	if (csv_reader_form(c->reader) == RECORD_JSON_TABLE)
		intern_free(&c->names);
	known = c->names.count;
	c->place = mem_resize(c->place, count, sizeof(*c->place));
	for (size_t i = 0; i < count; i++)
		c->place[i] = intern_add(&c->names, field[i]);
	c->cell = mem_resize(c->cell, c->names.count, sizeof(*c->cell));
	for (size_t i = 0; i < c->names.count; i++)
		c->cell[i] = intern_text(&c->names, i);
	if (c->names.count > known)
		put_record(c);
}

static int put_object(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct json_csv *c = ctx;

	(void)line;
	(void)f;
	if (csv_reader_form(c->reader) != RECORD_JSON_ROW) {
		take_header(c, field, count);
		return 0;
	}
	for (size_t i = 0; i < c->names.count; i++)
		c->cell[i] = TEXT("");
	for (size_t i = 0; i < count; i++)
		c->cell[c->place[i]] = field[i];
	put_record(c);
	return 0;
}

int json_csv(struct text t, const char *name, json_csv_whole *whole, struct buf *out,
    struct fault *f)
{
	struct json_csv c = { .whole = whole, .out = out };
	int status;

	if (!json_rows_detect(t, true)) {
		buf_text(out, t);
		return 0;
	}
	c.reader = csv_reader_open(put_object, &c);
	status = csv_reader_text(c.reader, name, t, f);
	csv_reader_close(c.reader);
	intern_free(&c.names);
	free(c.place);
	free(c.cell);
	return status;
}
