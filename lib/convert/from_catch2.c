/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads benchmarks in the XML of Catch2 (--reporter xml): elements BenchmarkResults within
 * TestCase and Section, whose element mean has the mean time of all samples in ns. Of XML,
 * only elements, attributes and the five predefined entities are known, which is all that
 * Catch2 writes.
 */
#include <math.h>

#include "convert/from.h"
#include "text/units.h"

/* A start tag, an end tag or an empty element. */
struct tag {
	struct text name, attributes;
	bool is_end, is_empty;
};

/* Removes the next tag from rest. Returns false at the end, even of a file that is cut off.
 */
static bool tag_next(struct text *rest, struct tag *tag)
{
	const char *open = rest->len ? memchr(rest->ptr, '<', rest->len) : NULL;
	struct text t;
	bool quoted = false;
	size_t len = 0;

	if (!open)
		return false;
	t = (struct text){ open + 1, (size_t)(rest->ptr + rest->len - open) - 1 };
	for (; len < t.len && (quoted || t.ptr[len] != '>'); len++)
		quoted ^= t.ptr[len] == '"';
	if (len == t.len)
		return false;
	*rest = text_after(t, len + 1);
	t.len = len;
	*tag = (struct tag){ .is_end = text_begins(t, "/"), .is_empty = text_ends(t, "/") };
	if (tag->is_end)
		t = text_after(t, 1);
	for (len = 0; len < t.len && !memchr(" \t\r\n/", t.ptr[len], 5);)
		len++;
	tag->name = (struct text){ t.ptr, len };
	tag->attributes = text_after(t, len);
	return true;
}

/* Returns the value of an attribute, which is still escaped; empty if it is missing. */
static struct text tag_attribute(const struct tag *tag, const char *name)
{
	struct text rest = tag->attributes;

	while (rest.len) {
		struct text key = text_trim(text_until(&rest, '='));

		text_until(&rest, '"');
		struct text value = text_until(&rest, '"');

		while (key.len && key.ptr[0] == '\n')
			key = text_trim(text_after(key, 1));
		if (text_is(key, name))
			return value;
	}
	return TEXT("");
}

static double tag_number(const struct tag *tag, const char *name)
{
	double x;

	return number_parse(tag_attribute(tag, name), &x) ? x : NAN;
}

/* Appends an attribute without its escapes. */
static void put_unescaped(struct buf *out, struct text t)
{
	static const struct {
		const char *entity;
		char character;
	} entities[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' },
		{ "&quot;", '"' }, { "&apos;", '\'' } };

	while (t.len) {
		size_t len = 1;
		char c = t.ptr[0];

		for (size_t i = 0; i < COUNT(entities); i++)
			if (text_begins(t, entities[i].entity)) {
				c = entities[i].character;
				len = strlen(entities[i].entity);
			}
		buf_byte(out, c);
		t = text_after(t, len);
	}
}

struct reading {
	struct row_builder *out;
	struct buf name;  /* of the test case and its open sections */
	size_t start[64]; /* of the names of sections in it */
	size_t sections;  /* open ones, the first 64 of which are in the name */
	int64_t iterations;
	struct text benchmark; /* the open one, or empty */
	double mean, sd;
	bool failed;
};

static void begin_test(struct reading *r, const struct tag *tag)
{
	r->name.len = 0;
	r->sections = 0;
	put_unescaped(&r->name, tag_attribute(tag, "name"));
}

static void begin_section(struct reading *r, const struct tag *tag)
{
	if (r->sections < COUNT(r->start)) {
		r->start[r->sections] = r->name.len;
		buf_byte(&r->name, '/');
		put_unescaped(&r->name, tag_attribute(tag, "name"));
	}
	r->sections++;
}

static void end_section(struct reading *r)
{
	if (r->sections && --r->sections < COUNT(r->start))
		r->name.len = r->start[r->sections];
}

static void begin_benchmark(struct reading *r, const struct tag *tag)
{
	double samples = tag_number(tag, "samples"),
	       iterations = tag_number(tag, "iterations"), all = samples * iterations;

	r->benchmark = tag_attribute(tag, "name");
	r->mean = r->sd = NAN;
	r->failed = false;
	r->iterations = all >= 1 && all < 0x1p53 ? (int64_t)all : ROW_NONE;
}

static int end_benchmark(struct reading *r, struct fault *f)
{
	struct row_builder *out = r->out;
	struct buf name = { 0 };

	buf_put(&name, r->name.ptr ? r->name.ptr : "", r->name.len);
	buf_byte(&name, '/');
	put_unescaped(&name, r->benchmark);
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("function"));
	row_builder_set(out, COL_BENCH,
	    text_of(arena_text(&out->texts, text_in(&name))));
	row_builder_set(
	    out, COL_STATUS, r->failed || isnan(r->mean) ? TEXT("failed") : TEXT("ok"));
	out->row.iterations = r->iterations;
	buf_free(&name);
	if (row_builder_put(out, TEXT("wall"), TEXT("ns"), r->mean, f) < 0)
		return -1;
	return from_statistic(out, "wall", "sd", TEXT("ns"), r->sd, f);
}

static int read_tag(struct reading *r, const struct tag *tag, struct fault *f)
{
	if (text_is(tag->name, "TestCase") && !tag->is_end)
		begin_test(r, tag);
	else if (text_is(tag->name, "Section") && tag->is_end)
		end_section(r);
	else if (text_is(tag->name, "Section") && !tag->is_empty)
		begin_section(r, tag);
	else if (text_is(tag->name, "mean"))
		r->mean = tag_number(tag, "value");
	else if (text_is(tag->name, "standardDeviation"))
		r->sd = tag_number(tag, "value");
	else if (text_is(tag->name, "failed"))
		r->failed = true;
	else if (text_is(tag->name, "BenchmarkResults") && !tag->is_end)
		begin_benchmark(r, tag);
	else if (text_is(tag->name, "BenchmarkResults"))
		return end_benchmark(r, f);
	return 0;
}

static bool is_root(const struct tag *tag)
{
	return text_is(tag->name, "Catch") || text_is(tag->name, "Catch2TestRun");
}

static bool catch2_recognize(const struct source *s)
{
	enum { TAGS = 4 }; /* after the declaration and comments */
	struct text rest = s->text;
	struct tag tag;

	if (!text_begins(text_trim(s->text), "<"))
		return false;
	for (int i = 0; i < TAGS && tag_next(&rest, &tag); i++)
		if (is_root(&tag))
			return true;
	return false;
}

static int catch2_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .out = out };
	struct text rest = s->text;
	struct tag tag;
	bool complete = false;
	int status = 0;

	while (status == 0 && tag_next(&rest, &tag)) {
		complete |= is_root(&tag) && tag.is_end;
		status = read_tag(&r, &tag, f);
	}
	buf_free(&r.name);
	if (status == 0 && !complete)
		status = fault_set(
		    f, "%s: the last element is open: the file is cut off", s->name);
	return status;
}

const struct format format_catch2 = { .name = "catch2",
	.meaning = "benchmarks in the XML of Catch2",
	.may_be_mixed = true,
	.recognize = catch2_recognize,
	.read = catch2_read };
