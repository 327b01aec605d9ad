/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See json_rows.h. The brackets are matched byte by byte to find the ends of objects, which
 * are then parsed one by one (json_members.h), so that the memory does not grow with the
 * file.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/intern.h"
#include "io/json_members.h"
#include "io/json_rows.h"
#include "text/utf8.h"

enum { DEPTH_MAX = 2048, MEMBERS_MAX = 65536, BLANKS_MAX = 65536 };

/* A position outside of objects, which decides what may come next. */
enum place { PLACE_TOP, PLACE_FIRST, PLACE_COMMA, PLACE_ROW };

struct json_rows {
	enum place place;
	char open[DEPTH_MAX]; /* brackets of the current object */
	size_t depth;
	bool quoted, escaped;
	struct buf pending; /* the beginning of an object that is not complete */
	uint64_t line;      /* before the current object */

	struct json_members object;
	struct buf header;                  /* the names of the members of the last row */
	size_t *name_len, names, names_cap; /* no names: a table begins */
	bool later;                         /* a header was put since the table began */
	char why[200];
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

int json_rows_detect(struct text t, bool whole)
{
	size_t first = 0, next;

	t = utf8_skip_mark(t);
	while (first < t.len && is_blank(t.ptr[first]))
		first++;
	if (first == t.len)
		return whole || t.len > BLANKS_MAX ? 0 : -1;
	if (t.ptr[first] != '[' && t.ptr[first] != '{')
		return 0;
	for (next = first + 1; next < t.len && is_blank(t.ptr[next]);)
		next++;
	if (next == t.len)
		return whole || t.len > BLANKS_MAX ? 1 : -1;
	return strchr(t.ptr[first] == '{' ? "\"}" : "{[]\"", t.ptr[next]) && t.ptr[next];
}

struct json_rows *json_rows_open(void)
{
	return mem_zero(1, sizeof(struct json_rows));
}

static void begin_table(struct json_rows *j)
{
	j->names = j->header.len = 0;
	j->later = false;
}

void json_rows_begin(struct json_rows *j)
{
	j->place = PLACE_TOP;
	j->depth = 0;
	j->quoted = j->escaped = false;
	j->pending.len = 0;
	j->line = 1;
	begin_table(j);
}

/* Takes a byte outside of objects. Returns NULL or what is wrong. Sets *object if it begins
 * an object. */
static const char *take_between(struct json_rows *j, char c, bool *object)
{
	static const char *const wrong[] = {
		[PLACE_TOP] =
		    "neither '[' nor '{' begins the JSON (CSV cannot follow JSON)",
		[PLACE_FIRST] = "a row is not an object",
		[PLACE_COMMA] = "no ',' or ']' after a row",
		[PLACE_ROW] = "a row is not an object",
	};

	*object = c == '{' && j->place != PLACE_COMMA;
	j->line += c == '\n';
	if (*object || is_blank(c))
		return NULL;
	if (c == '[' && j->place == PLACE_TOP)
		j->place = PLACE_FIRST;
	else if (c == ',' && j->place == PLACE_COMMA)
		j->place = PLACE_ROW;
	else if (c == ']' && (j->place == PLACE_FIRST || j->place == PLACE_COMMA))
		j->place = PLACE_TOP;
	else
		return wrong[j->place];
	if (c != ',')
		begin_table(j);
	return NULL;
}

/* Takes a bracket of an object. Returns NULL or what is wrong. */
static const char *take_bracket(struct json_rows *j, char c)
{
	if (c == '{' || c == '[') {
		if (j->depth == DEPTH_MAX)
			return "more than 2048 nested arrays and objects";
		j->open[j->depth++] = c;
	} else if (j->open[--j->depth] != (c == '}' ? '{' : '[')) {
		return c == '}' ? "'}' where an array ends" : "']' where an object ends";
	}
	return NULL;
}

/* Moves *at to the end of the current object, or of the text. Returns NULL or what is
 * wrong. */
static const char *find_end(struct json_rows *j, const char **at, const char *end)
{
	const char *why = NULL, *p = *at;

	for (; p < end && !why; p++) {
		if (j->escaped) {
			j->escaped = false;
		} else if (j->quoted) {
			j->escaped = *p == '\\';
			j->quoted = *p != '"';
		} else if (*p == '"') {
			j->quoted = true;
		} else if (*p == '{' || *p == '[' || *p == '}' || *p == ']') {
			why = take_bracket(j, *p);
			if (!why && !j->depth) {
				p++;
				break;
			}
		}
	}
	*at = p;
	return why;
}

static uint64_t newlines_in(const char *p, size_t len)
{
	const char *end = p + len;
	uint64_t n = 0;

	for (; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	return n;
}

/* Returns whether the object has the members of the last header. */
static bool has_header(const struct json_rows *j)
{
	const struct json_members *o = &j->object;
	size_t at = 0;

	if (!j->names || o->count != j->names)
		return false;
	for (size_t i = 0; i < o->count; at += j->name_len[i++])
		if (o->member[i].name_len != j->name_len[i] ||
		    memcmp(o->bytes.ptr + o->member[i].name, j->header.ptr + at,
		        j->name_len[i]) != 0)
			return false;
	return true;
}

/* Checks that no two members have one name. Returns NULL or what is wrong. */
static const char *check_names(struct json_rows *j)
{
	struct intern seen = { 0 };
	const char *why = j->object.count ? NULL : "an object without members";

	if (j->object.count > MEMBERS_MAX)
		why = "more than 65536 members in an object";
	for (size_t i = 0; i < j->object.count && !why; i++)
		if (intern_add(&seen, json_members_name(&j->object, i)) != i)
			why = j->why;
	if (why == j->why) {
		struct text t = json_members_name(&j->object, seen.count);

		snprintf(j->why, sizeof(j->why), "two members have the name '%.*s'",
		    t.len > 60 ? 60 : (int)t.len, t.ptr);
	}
	intern_free(&seen);
	return why;
}

/* Remembers the names of the object's members, and puts them. */
static void put_header(struct json_rows *j, struct csv_batch *out)
{
	j->names = j->header.len = 0;
	buf_room(&j->header, 0);
	for (size_t i = 0; i < j->object.count; i++) {
		struct text name = json_members_name(&j->object, i);

		buf_text(&j->header, name);
		*VEC_ADD(j->name_len, j->names, j->names_cap) = name.len;
		csv_batch_put(out, name, FIELD_TEXT);
	}
	csv_batch_end(out, j->later ? RECORD_JSON_HEADER : RECORD_JSON_TABLE, j->line);
	j->later = true;
}

static void put_row(struct json_rows *j, struct csv_batch *out)
{
	for (size_t i = 0; i < j->object.count; i++)
		csv_batch_put(
		    out, json_members_value(&j->object, i), j->object.member[i].type);
	csv_batch_end(out, RECORD_JSON_ROW, j->line);
}

/* Puts the facts of results.json, which are members of an object. Returns NULL or what is
 * wrong. */
static const char *put_facts(
    struct json_rows *j, const struct json_members *whole, struct csv_batch *out)
{
	static const char *const names[] = { "env", "fact", "value" };
	long env = json_members_find(whole, "env"),
	     facts = json_members_find(whole, "facts");
	const char *why;
	size_t at;

	if (env < 0 || facts < 0 || *json_members_value(whole, (size_t)facts).ptr != '{')
		return NULL;
	why = json_members_parse(&j->object, json_members_value(whole, (size_t)facts), &at);
	if (!why)
		why = check_names(j);
	for (size_t i = 0; i < COUNT(names) && !why; i++)
		csv_batch_put(out, text_of(names[i]), FIELD_TEXT);
	if (why)
		return why;
	csv_batch_end(out, RECORD_JSON_TABLE, j->line);
	for (size_t i = 0; i < j->object.count; i++) {
		csv_batch_put(
		    out, json_members_value(whole, (size_t)env), whole->member[env].type);
		csv_batch_put(out, json_members_name(&j->object, i), FIELD_TEXT);
		csv_batch_put(
		    out, json_members_value(&j->object, i), j->object.member[i].type);
		csv_batch_end(out, RECORD_JSON_ROW, j->line);
	}
	return NULL;
}

/* Puts the rows of results.json. Returns NULL or what is wrong. */
static const char *put_results(
    struct json_rows *j, struct text samples, struct csv_batch *out)
{
	struct json_members whole = j->object;
	struct buf pending = j->pending;
	const char *why;

	j->object = (struct json_members){ 0 };
	j->pending = (struct buf){ 0 };
	why = put_facts(j, &whole, out);
	if (!why)
		why = json_rows_parse(j, samples, out);
	json_members_free(&j->object);
	buf_free(&j->pending);
	j->object = whole;
	j->pending = pending;
	begin_table(j);
	return why;
}

/* Returns whether the object is results.json and no row, and sets *samples to the array of
 * its rows. */
static bool is_results(const struct json_rows *j, struct text *samples)
{
	long at = j->place == PLACE_TOP ? json_members_find(&j->object, "samples") : -1;

	if (at < 0 || j->object.member[at].type != FIELD_NESTED ||
	    json_members_find(&j->object, "metric") >= 0)
		return false;
	*samples = json_members_value(&j->object, (size_t)at);
	return *samples->ptr == '[';
}

/* Puts the rows of a complete object. Returns NULL or what is wrong. */
static const char *take_object(struct json_rows *j, struct text t, struct csv_batch *out)
{
	size_t at;
	const char *why = json_members_parse(&j->object, t, &at);
	uint64_t begin = j->line;
	struct text samples;
	bool changed;

	j->line += newlines_in(t.ptr, why ? at : t.len);
	changed = !why && !has_header(j);
	if (changed)
		why = check_names(j);
	if (why)
		return why;
	if (changed && is_results(j, &samples)) {
		uint64_t end = j->line;

		at = j->object.member[json_members_find(&j->object, "samples")].source;
		j->line = begin + newlines_in(t.ptr, at);
		why = put_results(j, samples, out);
		j->line = why ? j->line : end;
		return why;
	}
	if (changed)
		put_header(j, out);
	put_row(j, out);
	return NULL;
}

const char *json_rows_parse(struct json_rows *j, struct text t, struct csv_batch *out)
{
	const char *p = t.ptr, *end = t.ptr + t.len, *why = NULL;

	while (p < end && !why) {
		const char *from = p;
		bool object = j->depth > 0;

		if (!object) {
			why = take_between(j, *p, &object);
			p += !object;
		}
		if (!object)
			continue;
		why = find_end(j, &p, end);
		if (why) {
			j->line += newlines_in(j->pending.ptr ? j->pending.ptr : "",
			               j->pending.len) +
			           newlines_in(from, (size_t)(p - from));
		} else if (j->depth || j->pending.len) {
			buf_put(&j->pending, from, (size_t)(p - from));
			if (!j->depth)
				why = take_object(j,
				    text_in(&j->pending), out);
		} else
			why =
			    take_object(j, (struct text){ from, (size_t)(p - from) }, out);
		if (!j->depth) {
			j->pending.len = 0;
			j->place = j->place == PLACE_TOP ? PLACE_TOP : PLACE_COMMA;
		}
	}
	return why;
}

const char *json_rows_finish(const struct json_rows *j)
{
	if (j->depth)
		return j->quoted ? "the file ends inside a string: it is cut off"
		                 : "the file ends inside an object: it is cut off";
	return j->place == PLACE_TOP ? NULL
	                             : "the file ends inside an array: it is cut off";
}

uint64_t json_rows_line(const struct json_rows *j)
{
	return j->line;
}

void json_rows_close(struct json_rows *j)
{
	if (!j)
		return;
	json_members_free(&j->object);
	buf_free(&j->pending);
	buf_free(&j->header);
	free(j->name_len);
	free(j);
}
