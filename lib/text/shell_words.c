/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lines; see shell_words.h. Quoting as in POSIX.1-2017, Shell Command
 * Language, 2.2.
 */
#include <stdlib.h>
#include <string.h>

#include "text/shell_words.h"

struct list {
	char **word;
	size_t count, cap;
};

static void list_end(struct list *l)
{
	*VEC_ADD(l->word, l->count, l->cap) = NULL;
}

/* Appends the text between single quotes, the first of which is at s. Returns the second,
 * or NULL if there is none. */
static const char *take_single_quoted(const char *s, struct buf *b)
{
	const char *end = strchr(s + 1, '\'');

	if (end)
		buf_put(b, s + 1, (size_t)(end - s - 1));
	return end;
}

/* Appends the text between double quotes, the first of which is at s. Returns the second,
 * or NULL if there is none. */
static const char *take_double_quoted(const char *s, struct buf *b)
{
	for (s++; *s != '"'; s++) {
		if (!*s)
			return NULL;
		if (*s == '\\' && s[1] && strchr("$`\"\\\n", s[1]) && *++s == '\n')
			continue;
		buf_byte(b, *s);
	}
	return s;
}

/* Appends the word at *p to b and moves *p after it. Returns false if a quote does not end. */
static bool take_word(const char **p, struct buf *b)
{
	const char *s = *p;

	for (; *s && !strchr(" \t\n", *s); s++) {
		if (*s == '\'')
			s = take_single_quoted(s, b);
		else if (*s == '"')
			s = take_double_quoted(s, b);
		else if (*s != '\\')
			buf_byte(b, *s);
		else if (!*++s)
			return false;
		else if (*s != '\n')
			buf_byte(b, *s);
		if (!s)
			return false;
	}
	*p = s;
	return true;
}

char **shell_words_split(const char *line, struct fault *f)
{
	struct list l = { 0 };
	const char *p = line;

	for (;;) {
		struct buf word = { 0 };

		p += strspn(p, " \t\n");
		if (!*p)
			break;
		buf_put(&word, "", 0);
		if (!take_word(&p, &word)) {
			buf_free(&word);
			list_end(&l);
			shell_words_free(l.word);
			fault_set(f, "command line '%s': a quotation mark is not closed", line);
			return NULL;
		}
		*VEC_ADD(l.word, l.count, l.cap) = word.ptr;
	}
	list_end(&l);
	if (l.count > 1)
		return l.word;
	shell_words_free(l.word);
	fault_set(f, "a command line is empty: give a program to measure");
	return NULL;
}

void shell_words_free(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

void shell_words_put(struct buf *b, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789_@%+=:,./-{}";

	if (*word && strspn(word, plain) == strlen(word)) {
		buf_str(b, word);
		return;
	}
	buf_byte(b, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			buf_str(b, "'\\''");
		else
			buf_byte(b, *word);
	}
	buf_byte(b, '\'');
}

char *shell_words_join(char *const *words)
{
	struct buf b = { 0 };

	for (size_t i = 0; words[i]; i++) {
		if (i)
			buf_byte(&b, ' ');
		shell_words_put(&b, words[i]);
	}
	return b.ptr;
}

static const struct binding *binding_find(
    struct text name, const struct binding *bindings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_is(name, bindings[i].name))
			return &bindings[i];
	return NULL;
}

char *shell_words_fill(const char *text, const struct binding *bindings, size_t count)
{
	struct buf b = { 0 };

	buf_put(&b, "", 0);
	while (*text) {
		const char *end = *text == '{' ? strchr(text, '}') : NULL;
		const struct binding *used =
		    end ? binding_find(
		              (struct text){ text + 1, (size_t)(end - text - 1) }, bindings,
		              count)
		        : NULL;

		if (used) {
			buf_str(&b, used->value);
			text = end + 1;
		} else
			buf_byte(&b, *text++);
	}
	return b.ptr;
}
