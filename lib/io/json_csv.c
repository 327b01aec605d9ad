/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See json_csv.h. */
#include "io/json_csv.h"
#include "io/csv_reader.h"
#include "io/json_rows.h"

struct json_csv {
	struct csv_reader *reader;
	struct buf *out;
};

static int put_fields(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct json_csv *c = ctx;
	const unsigned char *type = csv_reader_types(c->reader);

	(void)line;
	(void)f;
	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_byte(c->out, ',');
		if (type[i] != FIELD_NESTED)
			csv_reader_put_field(c->out, field[i]);
	}
	if (count == 1 && !field[0].len)
		buf_str(c->out, "\"\"");
	buf_byte(c->out, '\n');
	return 0;
}

int json_csv(struct text t, const char *name, struct buf *out, struct fault *f)
{
	struct json_csv c = { .out = out };
	int status;

	if (!json_rows_detect(t, true)) {
		buf_text(out, t);
		return 0;
	}
	c.reader = csv_reader_open(put_fields, &c);
	csv_reader_begin(c.reader, name);
	status = csv_reader_feed(c.reader, t.ptr, t.len, f);
	if (status == 0)
		status = csv_reader_end(c.reader, f);
	csv_reader_close(c.reader);
	return status;
}
