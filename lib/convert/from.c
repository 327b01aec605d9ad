/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions shared by readers; see from.h.
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "convert/from.h"
#include "record/provenance.h"
#include "text/stamp.h"
#include "text/units.h"

bool line_next(struct text *rest, struct text *line)
{
	if (!rest->len)
		return false;
	*line = text_until(rest, '\n');
	if (line->len && line->ptr[line->len - 1] == '\r')
		line->len--;
	return true;
}

struct text text_until(struct text *rest, char byte)
{
	const char *end = rest->len ? memchr(rest->ptr, byte, rest->len) : NULL;
	struct text before = *rest;

	if (end) {
		before.len = (size_t)(end - rest->ptr);
		rest->ptr += before.len + 1;
		rest->len -= before.len + 1;
	} else
		*rest = (struct text){ rest->ptr + rest->len, 0 };
	return before;
}

struct text line_word(struct text *line)
{
	struct text t = text_trim(*line), word = { t.ptr, 0 };

	while (word.len < t.len && t.ptr[word.len] != ' ' && t.ptr[word.len] != '\t')
		word.len++;
	*line = text_after(t, word.len);
	return word;
}

double from_number(const struct json_t *v, int exponent)
{
	double x;

	if (!doc_number(v, &x))
		return NAN;
	return exponent ? decimal_shift(x, exponent) : x;
}

int64_t from_count(const struct json_t *v)
{
	double x;

	return doc_number(v, &x) && x >= 0 && x < 0x1p63 && x == floor(x) ? (int64_t)x
	                                                                  : ROW_NONE;
}

struct text from_text(const struct json_t *object, const char *name)
{
	struct text t = TEXT("");

	doc_text(doc_member(object, name), &t);
	return t;
}

struct text from_scalar(struct arena *texts, const struct json_t *v)
{
	char text[NUMBER_TEXT_MAX];
	struct text t = TEXT("");
	double x;

	if (doc_is_truth(v))
		return doc_true(v) ? TEXT("true") : TEXT("false");
	if (doc_number(v, &x))
		return text_of(
		    arena_text(texts, (struct text){ text, number_print(text, x) }));
	doc_text(v, &t);
	return t;
}

void from_factor(struct row_builder *out, struct text name, const struct json_t *v)
{
	struct text t;
	double x;

	if (doc_number(v, &x)) {
		row_builder_factor_number(out, name, x);
		return;
	}
	t = from_scalar(&out->texts, v);
	if (t.len)
		row_builder_factor(out, name, t);
}

static int on_factor(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	(void)f;
	from_factor(ctx, name, v);
	return 0;
}

void from_factors(struct row_builder *out, const struct json_t *object)
{
	struct fault f;

	doc_each(object, on_factor, out, &f);
}

int from_statistic(struct row_builder *out, const char *metric, const char *name,
    struct text unit, double value, struct fault *f)
{
	char text[256];

	if (!isfinite(value))
		return 0;
	snprintf(text, sizeof(text), "%s_%s", metric, name);
	return row_builder_put(out, text_of(text), unit, value, f);
}

size_t from_time_text(char out[PROVENANCE_TIME_MAX], struct text t)
{
	char given[40];
	int64_t ns;
	int digits;

	if (!t.len || t.len >= sizeof(given))
		return 0;
	memcpy(given, t.ptr, t.len);
	if (t.len > 10 && given[10] == ' ')
		given[10] = 'T';
	return stamp_parse((struct text){ given, t.len }, &ns, &digits)
	           ? provenance_time(out, ns)
	           : 0;
}

void from_time(struct row_builder *out, struct text t)
{
	char time[PROVENANCE_TIME_MAX];
	const size_t len = from_time_text(time, t);

	if (len)
		row_builder_set(out, COL_TIME,
		    text_of(arena_text(&out->texts, (struct text){ time, len })));
}

struct json_t *from_beside(
    const struct source *s, struct row_builder *out, const char *name)
{
	const char *slash = s->path ? strrchr(s->path, '/') : NULL;
	struct json_t *doc = NULL;
	struct buf text = { 0 };
	struct fault f;
	char *path;

	if (!s->path)
		return NULL;
	path = str_format("%.*s%s", slash ? (int)(slash - s->path + 1) : 0, s->path, name);
	if (access(path, F_OK) == 0) {
		if (file_read(path, &text, &f) == 0)
			doc = doc_read(text_in(&text), path, &f);
		if (!doc)
			row_builder_note(out, "%s", f.text);
	}
	free(path);
	buf_free(&text);
	return doc;
}

struct text from_time_ms(struct row_builder *out, const struct json_t *v)
{
	char time[PROVENANCE_TIME_MAX];
	double ms, whole;
	int64_t ns;

	if (!doc_number(v, &ms) || !(fabs(ms) < 9e12))
		return TEXT("");
	/* No double holds today's time in ns. */
	whole = floor(ms);
	ns = (int64_t)whole * 1000000 + (int64_t)((ms - whole) * 1e6);
	return text_of(
	    arena_text(&out->texts, (struct text){ time, provenance_time(time, ns) }));
}
