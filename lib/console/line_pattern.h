/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of words and numbers, described in tables: which words a line has, and what its
 * number means. Pure.
 */
#ifndef CONSOLE_LINE_PATTERN_H
#define CONSOLE_LINE_PATTERN_H

#include "base/base.h"

/*
 * The words of a line, with one space between them. In a word, <v> matches the value, <f>
 * any text, and <n> a whole number of at least 1. A word * matches any word, and three dots
 * at the end match any further words.
 */
struct line_pattern {
	const char *words;
	const char *name, *unit; /* of the metric; unit NULL: name is that of a factor */
	int exponent;            /* the value is multiplied by 10 to its power, ... */
	double factor;           /* ... and by this */
};

/* The value, text and number that a line has for the words of a pattern. */
struct line_match {
	double value;        /* scaled; NAN: none */
	struct text text;    /* "": none */
	int64_t number;      /* 0: none */
	struct text damaged; /* a word in place of a value that is no number; "": none */
};

/*
 * Returns whether a line has the words of a pattern, and stores its values. A value such as
 * "nan" or "-inf" is NAN. If all words match except that a value is no number, returns
 * false and stores the word in `damaged`, which is "" otherwise.
 */
bool line_pattern_match(
    const struct line_pattern *p, struct text line, struct line_match *m);

/* Stores the message about the damaged value of a line of a file. Returns -1. */
int line_pattern_fault(
    const struct line_match *m, const char *file, size_t line, struct fault *f);

#endif
