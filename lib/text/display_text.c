/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text for terminals and plots; see display_text.h. Labels are measured in columns,
 * because their size in a plot is unknown before it is drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "text/display_text.h"
#include "text/display_width.h"

enum { WIDTH_MIN = 8 };

static bool continues_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

void display_text_clean(struct buf *b, struct text t)
{
	while (t.len) {
		size_t ascii = display_ascii(t);
		struct display_char c;

		buf_put(b, t.ptr, ascii);
		t = text_after(t, ascii);
		if (!t.len)
			break;
		c = display_char(t);
		if (!c.escaped)
			buf_put(b, t.ptr, c.bytes);
		else if (*t.ptr == '\n')
			buf_str(b, "\\n");
		else if (*t.ptr == '\t')
			buf_str(b, "\\t");
		else
			buf_printf(b, "\\x%02x", (unsigned char)*t.ptr);
		t = text_after(t, c.bytes);
	}
}

void display_text_label(struct buf *b, struct text t, bool utf8)
{
	size_t start = b->len, kept = b->len;

	display_text_clean(b, t);
	if (utf8)
		return;
	for (size_t i = start; i < b->len; i++)
		if (!continues_character(b->ptr[i]))
			b->ptr[kept++] =
			    (char)((unsigned char)b->ptr[i] < 0x80 ? b->ptr[i] : '?');
	b->len = kept;
	if (b->ptr)
		b->ptr[kept] = '\0';
}

/* Returns the bytes at the start of s that take at most that many columns. */
static size_t offset_of(const char *s, size_t columns)
{
	return display_prefix(text_of(s), columns);
}

/* Returns the end of s that takes at most that many columns. */
static const char *last_of(const char *s, size_t columns)
{
	struct text t = text_of(s);

	return s + t.len - display_suffix(t, columns);
}

static const char *ellipsis_text(bool utf8)
{
	return utf8 ? "…" : "...";
}

static size_t ellipsis_width(bool utf8)
{
	return utf8 ? 1 : 3;
}

/* Returns s, in which an ellipsis at column `from` replaces the columns beyond the
 * width. */
static char *with_ellipsis(const char *s, size_t from, size_t width, bool utf8)
{
	size_t dots = ellipsis_width(utf8);

	if (display_width(text_of(s)) <= width)
		return str_copy(s);
	size_t tail = width - dots - from, head_end = offset_of(s, from);
	return str_format(
	    "%.*s%s%s", (int)head_end, s, ellipsis_text(utf8), last_of(s, tail));
}

/* Returns how many labels differ; number: NULL, or takes the number of each among them. */
static size_t count_different(char *const *label, size_t count, size_t *number)
{
	struct intern seen = { 0 };
	size_t different;

	for (size_t i = 0; i < count; i++) {
		size_t at = intern_add(&seen, text_of(label[i]));

		if (number)
			number[i] = at;
	}
	different = seen.count;
	intern_free(&seen);
	return different;
}

/* Returns the columns of the start that all labels have in common. */
static size_t common_start(char *const *label, size_t count)
{
	size_t same = strlen(label[0]);

	for (size_t i = 1; i < count; i++) {
		size_t n = 0;

		while (n < same && label[0][n] == label[i][n])
			n++;
		same = n;
	}
	while (same && continues_character(label[0][same]))
		same--;
	return display_width((struct text){ label[0], same });
}

static void free_all(char **label, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(label[i]);
	free(label);
}

/* Returns the head of s and the text after the common start, without that text's middle. */
static char *from_both_ends(const char *s, size_t common, size_t width, bool utf8)
{
	size_t dots = ellipsis_width(utf8), head = width / 4, room = width - dots - head;
	char *rest, *whole;

	if (display_width(text_of(s)) <= width)
		return str_copy(s);
	rest = with_ellipsis(s + offset_of(s, common), room / 2, room, utf8);
	whole =
	    str_format("%.*s%s%s", (int)offset_of(s, head), s, ellipsis_text(utf8), rest);
	free(rest);
	return whole;
}

/* Returns the head of s and the text after the common start, cut at its end. */
static char *from_difference(const char *s, size_t common, size_t width, bool utf8)
{
	size_t dots = ellipsis_width(utf8), head = width / 4;
	size_t all = display_width(text_of(s)), room = width - dots - head;
	char *rest, *whole;

	if (all <= width)
		return str_copy(s);
	if (common + room > all)
		common = all - room;
	if (common <= head + dots) {
		rest = str_format(
		    "%.*s%s", (int)offset_of(s, width - dots), s, ellipsis_text(utf8));
		return rest;
	}
	rest = str_copy(s + offset_of(s, common));
	if (display_width(text_of(rest)) > room) {
		rest[offset_of(rest, room - dots)] = '\0';
		whole = str_format("%.*s%s%s%s", (int)offset_of(s, head), s,
		    ellipsis_text(utf8), rest, ellipsis_text(utf8));
	} else
		whole = str_format(
		    "%.*s%s%s", (int)offset_of(s, head), s, ellipsis_text(utf8), rest);
	free(rest);
	return whole;
}

static char *with_number(const char *s, size_t number, size_t width, bool utf8)
{
	char *tag = str_format(" #%zu", number);
	size_t room = width > strlen(tag) + WIDTH_MIN ? width - strlen(tag) : WIDTH_MIN;
	char *cut = with_ellipsis(s, room - ellipsis_width(utf8), room, utf8);
	char *whole = str_format("%s%s", cut, tag);

	free(cut);
	free(tag);
	return whole;
}

bool display_text_fit(char **label, size_t count, size_t width, bool utf8)
{
	enum { MIDDLE, DIFFERENCE, BOTH_ENDS, NUMBERS, WAYS };
	size_t common = count ? common_start(label, count) : 0;
	size_t *number = mem_zero(count, sizeof(*number));
	const size_t different = count_different(label, count, number);
	char **shorter = mem_zero(count, sizeof(*shorter));
	int way = MIDDLE;

	width = width < WIDTH_MIN ? WIDTH_MIN : width;
	for (; way < WAYS; way++) {
		for (size_t i = 0; i < count; i++) {
			free(shorter[i]);
			shorter[i] =
			    way == MIDDLE
			        ? with_ellipsis(label[i], width * 5 / 9, width, utf8)
			    : way == DIFFERENCE
			        ? from_difference(label[i], common, width, utf8)
			    : way == BOTH_ENDS
			        ? from_both_ends(label[i], common, width, utf8)
			        : with_number(label[i], number[i] + 1, width, utf8);
		}
		if (count_different(shorter, count, NULL) == different)
			break;
	}
	for (size_t i = 0; i < count; i++) {
		char *old = label[i];

		label[i] = shorter[i];
		shorter[i] = old;
	}
	free_all(shorter, count);
	free(number);
	return way < NUMBERS;
}

/* Returns the bytes before the last blank of a string that is too wide at which its first
 * line can end; 0: there is none. */
static size_t line_end(struct text t, size_t width)
{
	size_t end = display_prefix(t, width);

	if (end == t.len)
		return 0;
	while (end && t.ptr[end] != ' ')
		end--;
	return end;
}

size_t display_text_wrap(
    char *const *part, size_t count, size_t width, bool utf8, char **line, size_t max)
{
	size_t lines = 0;
	struct buf b = { 0 };

	for (size_t i = 0; i < count; i++) {
		const char *comma = i + 1 < count ? "," : "";
		size_t more = display_width(text_of(part[i])) + strlen(comma);

		if (b.len &&
		    display_width(text_in(&b)) + 1 + more > width &&
		    lines + 1 < max) {
			line[lines++] = mem_text(b.ptr, b.len);
			b.len = 0;
		}
		buf_printf(&b, "%s%s%s", b.len ? " " : "", part[i], comma);
		for (size_t end; lines + 1 < max &&
		                 (end = line_end(text_in(&b), width));) {
			line[lines++] = mem_text(b.ptr, end);
			b.len -= end + 1;
			memmove(b.ptr, b.ptr + end + 1, b.len + 1);
		}
	}
	if (b.len)
		line[lines++] = mem_text(b.ptr, b.len);
	buf_free(&b);
	for (size_t i = 0; i < lines; i++) {
		char *cut =
		    with_ellipsis(line[i], width - ellipsis_width(utf8), width, utf8);

		free(line[i]);
		line[i] = cut;
	}
	return lines;
}
