/*
 * Labels of pictures; see display_text.h. Widths are counted in columns, which is all that is
 * known of a text before it is drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "text/display_text.h"

enum { WIDTH_MIN = 8 };

static bool continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/*
 * Line separators, U+200E and U+200F, and what turns the direction of writing, U+202A to
 * U+202E and U+2066 to U+2069: a name with those can look like another.
 */
static bool turns_text(const unsigned char *p)
{
	return p[0] == 0xe2 && ((p[1] == 0x80 && (p[2] == 0x8e || p[2] == 0x8f ||
	                                             (p[2] >= 0xa8 && p[2] <= 0xae))) ||
	                           (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

/* Three bytes that are no character: a half of a surrogate pair, U+FFFE and U+FFFF. */
static bool no_character(const unsigned char *p)
{
	return (p[0] == 0xed && p[1] >= 0xa0) ||
	       (p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe);
}

/* The length of the UTF-8 sequence at p that is printable, or 0. */
static size_t printable(const unsigned char *p, size_t len)
{
	static const struct {
		unsigned char mask, lead;
	} forms[] = { { 0x80, 0x00 }, { 0xe0, 0xc0 }, { 0xf0, 0xe0 }, { 0xf8, 0xf0 } };

	if (*p < 0x20 || *p == 0x7f)
		return 0;
	for (size_t n = 0; n < COUNT(forms) && n < len; n++) {
		if ((*p & forms[n].mask) != forms[n].lead)
			continue;
		for (size_t i = 1; i <= n; i++)
			if ((p[i] & 0xc0) != 0x80)
				return 0;
		/* C1 controls, overlong forms that could hide one, and no characters */
		if ((n == 1 && (*p < 0xc2 || (*p == 0xc2 && p[1] < 0xa0))) ||
		    (n == 2 && ((*p == 0xe0 && p[1] < 0xa0) || turns_text(p) ||
		                   no_character(p))) ||
		    (n == 3 && ((*p == 0xf0 && p[1] < 0x90) || *p > 0xf4 ||
		                   (*p == 0xf4 && p[1] > 0x8f))))
			return 0;
		return n + 1;
	}
	return 0;
}

void text_clean(struct buf *b, struct text t)
{
	for (size_t i = 0, n; i < t.len; i += n ? n : 1) {
		n = printable((const unsigned char *)t.ptr + i, t.len - i);
		if (n)
			buf_put(b, t.ptr + i, n);
		else if (t.ptr[i] == '\n')
			buf_str(b, "\\n");
		else if (t.ptr[i] == '\t')
			buf_str(b, "\\t");
		else
			buf_printf(b, "\\x%02x", (unsigned char)t.ptr[i]);
	}
}

void label_clean(struct buf *b, struct text t, bool utf8)
{
	size_t start = b->len, kept = b->len;

	text_clean(b, t);
	if (utf8)
		return;
	for (size_t i = start; i < b->len; i++)
		if (!continues(b->ptr[i]))
			b->ptr[kept++] =
			    (char)((unsigned char)b->ptr[i] < 0x80 ? b->ptr[i] : '?');
	b->len = kept;
	if (b->ptr)
		b->ptr[kept] = '\0';
}

/* What is two columns wide: the blocks of Unicode's East Asian Width W and F, roughly. */
static const struct {
	uint32_t first, last;
} wide[] = {
	{ 0x1100, 0x115f },   /* Hangul */
	{ 0x2e80, 0x303e },   /* radicals, punctuation */
	{ 0x3041, 0xa4cf },   /* kana, ideographs, Yi */
	{ 0xa960, 0xa97f },   /* Hangul */
	{ 0xac00, 0xd7a3 },   /* Hangul */
	{ 0xf900, 0xfaff },   /* ideographs */
	{ 0xfe30, 0xfe6f },   /* forms for columns of text, small forms */
	{ 0xff00, 0xff60 },   /* full width */
	{ 0xffe0, 0xffe6 },   /* the same */
	{ 0x1f300, 0x1f64f }, /* pictures */
	{ 0x1f900, 0x1f9ff }, /* pictures */
	{ 0x20000, 0x3fffd }, /* ideographs */
};

size_t label_columns(const char *s, size_t len)
{
	unsigned char lead = (unsigned char)*s;
	size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 1;
	uint32_t code = bytes == 4 ? lead & 7u : lead & 15u;

	if (bytes == 1 || bytes > len)
		return 1;
	for (size_t i = 1; i < bytes; i++)
		code = code << 6 | ((unsigned char)s[i] & 0x3fu);
	for (size_t i = 0; i < COUNT(wide); i++)
		if (code >= wide[i].first && code <= wide[i].last)
			return 2;
	return 1;
}

size_t label_width(struct text t)
{
	size_t width = 0;

	for (size_t i = 0; i < t.len; i++)
		if (!continues(t.ptr[i]))
			width += label_columns(t.ptr + i, t.len - i);
	return width;
}

/* The offset up to which no more than so many columns are used. */
static size_t offset_of(const char *s, size_t columns)
{
	size_t len = strlen(s), i = 0;

	for (size_t end; i < len; i = end) {
		size_t own = label_columns(s + i, len - i);

		if (own > columns)
			break;
		columns -= own;
		for (end = i + 1; continues(s[end]);)
			end++;
	}
	return i;
}

/* The offset from which on no more than so many columns are used. */
static size_t offset_last(const char *s, size_t columns)
{
	size_t len = strlen(s), i = 0;

	while (s[i] && label_width((struct text){ s + i, len - i }) > columns)
		do
			i++;
		while (continues(s[i]));
	return i;
}

static const char *ellipsis(bool utf8)
{
	return utf8 ? "…" : "...";
}

static size_t ellipsis_width(bool utf8)
{
	return utf8 ? 1 : 3;
}

/* Leave out from column `from` what is too much for the width. */
static char *without(const char *s, size_t from, size_t width, bool utf8)
{
	size_t dots = ellipsis_width(utf8);

	if (label_width(text_of(s)) <= width)
		return str_copy(s);
	size_t tail = width - dots - from, head_end = offset_of(s, from);
	return str_format(
	    "%.*s%s%s", (int)head_end, s, ellipsis(utf8), s + offset_last(s, tail));
}

static bool any_equal(char *const *label, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++)
			if (strcmp(label[i], label[k]) == 0)
				return true;
	return false;
}

/* How many columns at the start are the same in all. */
static size_t common_start(char *const *label, size_t count)
{
	size_t same = strlen(label[0]);

	for (size_t i = 1; i < count; i++) {
		size_t n = 0;

		while (n < same && label[0][n] == label[i][n])
			n++;
		same = n;
	}
	while (same && continues(label[0][same]))
		same--;
	return label_width((struct text){ label[0], same });
}

static void free_all(char **label, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(label[i]);
	free(label);
}

/* A head, and what follows the part that all have in common, less its middle. */
static char *from_both_ends(const char *s, size_t common, size_t width, bool utf8)
{
	size_t dots = ellipsis_width(utf8), head = width / 4, room = width - dots - head;
	char *rest, *whole;

	if (label_width(text_of(s)) <= width)
		return str_copy(s);
	rest = without(s + offset_of(s, common), room / 2, room, utf8);
	whole = str_format("%.*s%s%s", (int)offset_of(s, head), s, ellipsis(utf8), rest);
	free(rest);
	return whole;
}

/* The same, cut at its end. */
static char *from_difference(const char *s, size_t common, size_t width, bool utf8)
{
	size_t dots = ellipsis_width(utf8), head = width / 4;
	size_t all = label_width(text_of(s)), room = width - dots - head;
	char *rest, *whole;

	if (all <= width)
		return str_copy(s);
	if (common + room > all)
		common = all - room;
	if (common <= head + dots) {
		rest = str_format(
		    "%.*s%s", (int)offset_of(s, width - dots), s, ellipsis(utf8));
		return rest;
	}
	rest = str_copy(s + offset_of(s, common));
	if (label_width(text_of(rest)) > room) {
		rest[offset_of(rest, room - dots)] = '\0';
		whole = str_format("%.*s%s%s%s", (int)offset_of(s, head), s, ellipsis(utf8),
		    rest, ellipsis(utf8));
	} else
		whole = str_format(
		    "%.*s%s%s", (int)offset_of(s, head), s, ellipsis(utf8), rest);
	free(rest);
	return whole;
}

static char *numbered(const char *s, size_t number, size_t width, bool utf8)
{
	char *tag = str_format(" #%zu", number);
	size_t room = width > strlen(tag) + WIDTH_MIN ? width - strlen(tag) : WIDTH_MIN;
	char *cut = without(s, room - ellipsis_width(utf8), room, utf8);
	char *whole = str_format("%s%s", cut, tag);

	free(cut);
	free(tag);
	return whole;
}

void labels_fit(char **label, size_t count, size_t width, bool utf8)
{
	enum { MIDDLE, DIFFERENCE, BOTH_ENDS, NUMBERS, WAYS };
	size_t common = count ? common_start(label, count) : 0;
	bool were_equal = any_equal(label, count);
	char **shorter = mem_zero(count, sizeof(*shorter));

	width = width < WIDTH_MIN ? WIDTH_MIN : width;
	for (int way = MIDDLE; way < WAYS; way++) {
		for (size_t i = 0; i < count; i++) {
			free(shorter[i]);
			shorter[i] = way == MIDDLE
			                 ? without(label[i], width * 5 / 9, width, utf8)
			             : way == DIFFERENCE
			                 ? from_difference(label[i], common, width, utf8)
			             : way == BOTH_ENDS
			                 ? from_both_ends(label[i], common, width, utf8)
			                 : numbered(label[i], i + 1, width, utf8);
		}
		if (were_equal || !any_equal(shorter, count))
			break;
	}
	for (size_t i = 0; i < count; i++) {
		char *old = label[i];

		label[i] = shorter[i];
		shorter[i] = old;
	}
	free_all(shorter, count);
}

size_t label_wrap(
    char *const *part, size_t count, size_t width, bool utf8, char **line, size_t max)
{
	size_t lines = 0;
	struct buf b = { 0 };

	for (size_t i = 0; i < count; i++) {
		const char *comma = i + 1 < count ? "," : "";
		size_t more = label_width(text_of(part[i])) + strlen(comma);

		if (b.len &&
		    label_width((struct text){ b.ptr, b.len }) + 1 + more > width &&
		    lines + 1 < max) {
			line[lines++] = mem_text(b.ptr, b.len);
			b.len = 0;
		}
		buf_printf(&b, "%s%s%s", b.len ? " " : "", part[i], comma);
	}
	if (b.len)
		line[lines++] = mem_text(b.ptr, b.len);
	buf_free(&b);
	for (size_t i = 0; i < lines; i++) {
		char *cut = without(line[i], width - ellipsis_width(utf8), width, utf8);

		free(line[i]);
		line[i] = cut;
	}
	return lines;
}
