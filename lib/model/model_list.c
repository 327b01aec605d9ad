/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the lines of model lists; see model_list.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/csv_table.h"
#include "model/model_list.h"

enum { WORD, OUT, IN, ARGS, FIELDS, NESTED_MAX = 16, LINES_MAX = 100000 };
static const char *const columns[FIELDS] = { "op", "out", "in", "args" };

/* The arguments that are strings; all others are formulas. */
static const char *const texts[] = { "act", "arch", "dtype", "fill", "mode", "name",
	"weight" };

struct reader {
	struct model_list *list;
	const char *file;
	size_t open[NESTED_MAX]; /* the lines of def and repeat whose end is to come */
	size_t opens;
};

int model_line_fault(const struct model_line *l, struct fault *f, const char *why)
{
	return fault_set(f, "%s:%" PRIu64 ": %s: %s", l->file, l->number, l->word, why);
}

const struct model_arg *model_line_arg(const struct model_line *l, const char *key)
{
	for (size_t i = 0; i < l->args; i++)
		if (strcmp(l->arg[i].key, key) == 0)
			return &l->arg[i];
	return NULL;
}

static bool is_text(const char *key)
{
	for (size_t i = 0; i < COUNT(texts); i++)
		if (strcmp(texts[i], key) == 0)
			return true;
	return false;
}

/* Cuts the next word off a string whose words are separated by `mark`. Returns false if
 * there is none. */
static bool next_word(struct text *rest, char mark, struct text *word)
{
	const char *p = rest->ptr, *end = p + rest->len;

	while (p < end && *p == mark)
		p++;
	word->ptr = p;
	while (p < end && *p != mark)
		p++;
	word->len = (size_t)(p - word->ptr);
	*rest = (struct text){ p, (size_t)(end - p) };
	return word->len > 0;
}

/* Stores the names of a cell. Returns their number. */
static size_t read_names(struct text cell, char ***out)
{
	struct text word;
	size_t count = 0, cap = 0;

	while (next_word(&cell, ' ', &word))
		*VEC_ADD(*out, count, cap) = mem_text(word.ptr, word.len);
	return count;
}

/* Parses the formulas of an argument. Returns 0, or -1 and the message. */
static int read_formulas(struct model_arg *a, struct fault *f)
{
	struct text rest = text_of(a->text), word;
	size_t cap = 0;

	while (next_word(&rest, ':', &word)) {
		char *text = mem_text(word.ptr, word.len);
		struct formula *formula = formula_parse_symbols(text, f);

		free(text);
		if (!formula)
			return -1;
		*VEC_ADD(a->part, a->parts, cap) = formula;
	}
	return 0;
}

/* Reads the arguments of a line. Returns 0, or -1 and the message. */
static int read_args(struct model_line *l, struct text cell, struct fault *f)
{
	struct text word;
	size_t cap = 0;

	while (next_word(&cell, ' ', &word)) {
		const char *equals = memchr(word.ptr, '=', word.len);
		struct fault why;

		if (!equals || equals == word.ptr || equals + 1 == word.ptr + word.len) {
			(void)snprintf(why.text, sizeof(why.text),
			    "argument '%.*s' is not name=value",
			    (int)(word.len < 80 ? word.len : 80), word.ptr);
			return model_line_fault(l, f, why.text);
		}
		char *key = mem_text(word.ptr, (size_t)(equals - word.ptr));
		bool twice = model_line_arg(l, key);
		struct model_arg *a = VEC_ADD(l->arg, l->args, cap);
		size_t len = (size_t)(word.ptr + word.len - equals - 1);
		*a = (struct model_arg){ .key = key, .text = mem_text(equals + 1, len) };
		if (twice)
			return model_line_fault(l, f, "an argument is given twice");
		if (!is_text(a->key) && read_formulas(a, &why) < 0)
			return model_line_fault(l, f, why.text);
	}
	return 0;
}

/* Stores in each def and repeat the line of its end. Returns 0, or -1 and the message. */
static int store_ends(struct reader *r, size_t at, struct fault *f)
{
	struct model_line *l = &r->list->line[at];

	if (strcmp(l->word, "def") == 0 || strcmp(l->word, "repeat") == 0) {
		if (*l->word == 'd' && r->opens)
			return model_line_fault(l, f, "not allowed inside another block");
		if (r->opens == NESTED_MAX)
			return model_line_fault(l, f, "blocks are nested too deeply");
		r->open[r->opens++] = at;
	} else if (strcmp(l->word, "end") == 0) {
		if (!r->opens)
			return model_line_fault(l, f, "no block to end");
		r->list->line[r->open[--r->opens]].end = at;
	}
	return 0;
}

/* Adds the line of a row. Returns 0, or -1 and the message. */
static int take_row(
    struct reader *r, const struct csv_table *g, const size_t at[FIELDS], struct fault *f)
{
	struct text cell[FIELDS];

	for (size_t c = 0; c < FIELDS; c++)
		cell[c] = csv_table_field(g, at[c]);
	if (!cell[WORD].len || *cell[WORD].ptr == '#')
		return 0;
	if (r->list->count == LINES_MAX)
		return fault_set(f, "%s: more than %d lines", r->file, LINES_MAX);
	struct model_line *l = VEC_ADD(r->list->line, r->list->count, r->list->cap);
	*l = (struct model_line){ .file = r->file, .number = csv_table_line(g) };
	l->word = mem_text(cell[WORD].ptr, cell[WORD].len);
	l->note = mem_text(cell[IN].ptr, cell[IN].len);
	l->outs = read_names(cell[OUT], &l->out);
	l->ins = read_names(cell[IN], &l->in);
	if (read_args(l, cell[ARGS], f) < 0)
		return -1;
	return store_ends(r, r->list->count - 1, f);
}

int model_list_read(
    struct model_list *l, struct text csv, const char *file, struct fault *f)
{
	struct reader r = { .list = l, .file = file };
	struct csv_table g = { 0 };
	size_t at[FIELDS];
	int status = csv_table_open(&g, csv, file, f);

	if (status == 0)
		status = g.columns ? csv_table_require(&g, columns, FIELDS, at, f)
		                   : fault_set(f, "%s: the file is empty", file);
	while (status == 0 && (status = csv_table_next(&g, f)) > 0)
		status = take_row(&r, &g, at, f);
	csv_table_free(&g);
	if (status == 0 && r.opens)
		status = model_line_fault(
		    &l->line[r.open[r.opens - 1]], f, "the end of the block is missing");
	return status;
}

static void free_names(char **name, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(name[i]);
	free(name);
}

void model_list_free(struct model_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		struct model_line *line = &l->line[i];

		free(line->word);
		free(line->note);
		free_names(line->out, line->outs);
		free_names(line->in, line->ins);
		for (size_t k = 0; k < line->args; k++) {
			struct model_arg *a = &line->arg[k];

			for (size_t p = 0; p < a->parts; p++)
				formula_free(a->part[p]);
			free(a->part);
			free(a->key);
			free(a->text);
		}
		free(line->arg);
	}
	free(l->line);
	*l = (struct model_list){ 0 };
}
