/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of words and numbers; see line_pattern.h.
 */
#include <math.h>

#include "console/console_text.h"
#include "console/line_pattern.h"
#include "text/units.h"

/* Removes the texts before and after a placeholder such as <v> from a word. Returns the
 * letter of the placeholder, or 0 if the word does not have these texts. */
static char unwrap_word(struct text *word, struct text pattern)
{
	const char *open = memchr(pattern.ptr, '<', pattern.len);
	size_t before, after;

	if (!open || open + 3 > pattern.ptr + pattern.len || open[2] != '>')
		return 0;
	before = (size_t)(open - pattern.ptr);
	after = pattern.len - before - 3;
	if (word->len < before + after || memcmp(word->ptr, pattern.ptr, before) != 0 ||
	    memcmp(word->ptr + word->len - after, open + 3, after) != 0)
		return 0;
	*word = (struct text){ word->ptr + before, word->len - before - after };
	return open[1];
}

/* Stores a value. A word that is no number is stored as damaged, unless it is how printf()
 * writes one that is not finite. */
static void store_value(struct text word, struct line_match *m)
{
	struct text name = word;

	if (number_parse(word, &m->value))
		return;
	m->value = NAN;
	if (text_begins(name, "-") || text_begins(name, "+"))
		name = text_after(name, 1);
	if (!text_is(name, "nan") && !text_is(name, "inf"))
		m->damaged = word;
}

/* Returns whether a word is what a word of a pattern says, and stores it. */
static bool match_word(struct text word, struct text pattern, struct line_match *m)
{
	if (text_is(pattern, "*") || text_equal(word, pattern))
		return word.len > 0;
	switch (unwrap_word(&word, pattern)) {
	case 'v':
		store_value(word, m);
		return word.len > 0;
	case 'f':
		m->text = word;
		return word.len > 0;
	case 'n':
		return integer_parse(word, &m->number) && m->number > 0;
	default:
		return false;
	}
}

bool line_pattern_match(
    const struct line_pattern *p, struct text line, struct line_match *m)
{
	struct text patterns = text_of(p->words), pattern;

	*m = (struct line_match){ .value = NAN, .text = TEXT(""), .damaged = TEXT("") };
	while ((pattern = line_word(&patterns)).len) {
		if (text_is(pattern, "..."))
			break;
		if (!match_word(line_word(&line), pattern, m)) {
			m->damaged = TEXT("");
			return false;
		}
	}
	if (!pattern.len && text_trim(line).len)
		m->damaged = TEXT("");
	m->value = decimal_shift(m->value, p->exponent) * p->factor;
	return !m->damaged.len && (pattern.len || !text_trim(line).len);
}

int line_pattern_fault(
    const struct line_match *m, const char *file, size_t line, struct fault *f)
{
	return fault_set(f, "%s:%zu: '%.*s' is not a number: the file is damaged", file,
	    line, (int)m->damaged.len, m->damaged.ptr);
}
