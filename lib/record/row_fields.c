/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields with defined contents; see row_fields.h.
 */
#include <string.h>

#include "record/row_fields.h"
#include "record/stream_header.h"
#include "text/stamp.h"
#include "text/units.h"

/* Sets the message about a field that is not what its column requires. Returns -1. */
static int refuse_field(
    struct text column, struct text t, const char *what, struct fault *f)
{
	enum { SHOWN = 60 };

	return fault_set(f, "%.*s: '%.*s' is not %s",
	    column.len > SHOWN ? SHOWN : (int)column.len, column.ptr,
	    t.len > SHOWN ? SHOWN : (int)t.len, t.ptr, what);
}

static int read_integer(
    const struct row *row, enum column column, bool is_json, int64_t *out, struct fault *f)
{
	struct text t = row->cell[column];

	*out = ROW_NONE;
	if (!t.len || integer_parse(t, out) || (is_json && stream_whole_number(t, out)))
		return 0;
	return refuse_field(text_of(row->schema->name[column]), t, "a whole number", f);
}

int row_fields_number(
    struct text column, struct text t, bool *has, double *out, struct fault *f)
{
	*has = t.len > 0;
	return !t.len || number_parse(t, out)
	           ? 0
		   : refuse_field(column, t, "a decimal number", f);
}

static int check_time(struct row_fields *s, struct text t, struct fault *f)
{
	int64_t ns;
	int digits;

	if (!t.len || (t.len == s->time_len && memcmp(t.ptr, s->time, t.len) == 0))
		return 0;
	if (!stamp_parse(t, &ns, &digits))
		return refuse_field(TEXT("time"), t,
		    "a date or time such as 2026-01-31T12:00:00Z (RFC 3339, years 1678 to "
		    "2261)",
		    f);
	s->time_len = t.len <= sizeof(s->time) ? t.len : 0;
	memcpy(s->time, t.ptr, s->time_len);
	return 0;
}

int row_fields_read(struct row_fields *s, struct row *row, bool is_json, struct fault *f)
{
	return read_integer(row, COL_PROCESS, is_json, &row->process, f) < 0 ||
	               read_integer(row, COL_SAMPLE, is_json, &row->sample, f) < 0 ||
	               read_integer(row, COL_T, is_json, &row->t, f) < 0 ||
	               read_integer(row, COL_ITERATIONS, is_json, &row->iterations, f) <
	                   0 ||
	               row_fields_number(TEXT("running_pct"), row->cell[COL_RUNNING_PCT],
	                   &row->has_running_pct, &row->running_pct, f) < 0 ||
	               check_time(s, row->cell[COL_TIME], f) < 0
	           ? -1
	           : 0;
}
