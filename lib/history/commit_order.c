/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See commit_order.h. The lines are sorted, so that lines with the same beginning are
 * adjacent.
 */
#include <ctype.h>
#include <stdlib.h>

#include "history/commit_order.h"

enum { ABBREVIATED_LEAST = 7 };

struct commit_order {
	struct buf bytes;
	struct line {
		struct text commit;
		size_t number;
	} * line;
	size_t count, cap;
};

static size_t less(size_t a, size_t b)
{
	return a < b ? a : b;
}

static int compare(struct text a, struct text b)
{
	int order = memcmp(a.ptr, b.ptr, less(a.len, b.len));

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int by_commit(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return compare(x->commit, y->commit);
}

static struct text undirtied(struct text t)
{
	static const char dirty[] = "-dirty";
	size_t len = sizeof(dirty) - 1;

	if (t.len > len && memcmp(t.ptr + t.len - len, dirty, len) == 0)
		t.len -= len;
	return t;
}

static bool abbreviates(struct text part, struct text whole)
{
	if (part.len < ABBREVIATED_LEAST || part.len > whole.len ||
	    memcmp(part.ptr, whole.ptr, part.len) != 0)
		return false;
	for (size_t i = 0; i < part.len; i++)
		if (!isxdigit((unsigned char)part.ptr[i]))
			return false;
	return true;
}

bool commit_matches(struct text a, struct text b)
{
	a = undirtied(a);
	b = undirtied(b);
	return text_equal(a, b) || abbreviates(a, b) || abbreviates(b, a);
}

/* Splits the file into commits, the first word of each line. The rest of a line, such as a
 * subject, is ignored. */
static void split(struct commit_order *o)
{
	const char *p = o->bytes.ptr, *end = p + o->bytes.len;

	while (p < end) {
		const char *line_end = memchr(p, '\n', (size_t)(end - p));
		size_t len;

		if (!line_end)
			line_end = end;
		for (len = 0; p + len < line_end && !strchr(" \t\r", p[len]);)
			len++;
		if (len) {
			*VEC_ADD(o->line, o->count, o->cap) =
			    (struct line){ .commit = { p, len } };
			o->line[o->count - 1].number = o->count - 1;
		}
		p = line_end + 1;
	}
	if (o->count)
		qsort(o->line, o->count, sizeof(*o->line), by_commit);
}

struct commit_order *commit_order_read(const char *path, struct fault *f)
{
	struct commit_order *o = mem_zero(1, sizeof(*o));

	if (file_read(path, &o->bytes, f) < 0) {
		commit_order_free(o);
		return NULL;
	}
	if (o->bytes.len)
		split(o);
	if (!o->count) {
		fault_set(f,
		    "%s: contains no commit (create it with git rev-list --reverse HEAD)",
		    path);
		commit_order_free(o);
		return NULL;
	}
	for (size_t i = 1; i < o->count; i++)
		if (text_equal(o->line[i - 1].commit, o->line[i].commit)) {
			fault_set(f, "%s: duplicate commit %.*s", path,
			    (int)less(o->line[i].commit.len, 64), o->line[i].commit.ptr);
			commit_order_free(o);
			return NULL;
		}
	return o;
}

long commit_order_find(const struct commit_order *o, struct text commit)
{
	size_t from = 0, to = o->count, found = 0;
	long number = -1;

	commit = undirtied(commit);
	if (!commit.len)
		return -1;
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (compare(o->line[middle].commit, commit) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	/* The line before may abbreviate the commit; the lines from here on may be
	 * abbreviated by it. */
	if (from && commit_matches(o->line[from - 1].commit, commit)) {
		number = (long)o->line[from - 1].number;
		found++;
	}
	for (; from < o->count && commit_matches(o->line[from].commit, commit); from++) {
		if (text_equal(o->line[from].commit, commit))
			return (long)o->line[from].number;
		number = (long)o->line[from].number;
		found++;
	}
	return found == 1 ? number : -1;
}

void commit_order_free(struct commit_order *o)
{
	if (!o)
		return;
	buf_free(&o->bytes);
	free(o->line);
	free(o);
}
