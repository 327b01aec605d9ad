/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints --help, and the options and values for completion; see opt_priv.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/opt_priv.h"
#include "io/terminal.h"
#include "text/display_width.h"

enum {
	WIDTH_USUAL = 80,
	WIDTH_LEAST = 24,  /* a narrower terminal breaks lines itself */
	WIDTH_BESIDE = 60, /* from here on, the help of an option is next to its name */
	INDENT_BESIDE = 31,
	INDENT_BELOW = 8,
	INDENT_WORD = 15
};

/* Returns the columns of the help: those of the terminal, at most 80. They are asked for
 * once, not for each line. */
static size_t help_width(void)
{
	static size_t width; /* 0: not known yet */

	if (!width) {
		width = terminal_size(STDOUT_FILENO).columns;
		width = width > WIDTH_USUAL   ? WIDTH_USUAL
		        : width < WIDTH_LEAST ? WIDTH_LEAST
		                              : width;
	}
	return width;
}

/*
 * Returns the length of the part of a string that fits into the room: up to the last space,
 * if possible one outside of brackets, or else up to the first space, or all of it.
 */
static size_t part_that_fits(const char *text, size_t room)
{
	size_t outside = 0, inside = 0, i;
	int depth = 0;

	if (strlen(text) <= room)
		return strlen(text);
	for (i = 0; text[i] && (i <= room || !inside); i++) {
		depth += (text[i] == '[') - (text[i] == ']');
		if (text[i] == ' ')
			inside = i;
		if (text[i] == ' ' && !depth)
			outside = i;
	}
	return outside ? outside : inside ? inside : i;
}

/* Prints a string from the present column on; its further lines begin at column indent. */
static void print_parts(const char *text, size_t present, size_t indent)
{
	const size_t width = help_width();
	size_t cut = part_that_fits(text, width > present ? width - present : 0);

	printf("%.*s\n", (int)cut, text);
	while (text[cut]) {
		text += cut + 1;
		cut = part_that_fits(text, width - indent);
		printf("%*s%.*s\n", (int)indent, "", (int)cut, text);
	}
}

/* Prints a line of the synopsis, which is broken between operands. */
static void print_usage(const char *name, const char *synopsis, bool first)
{
	static const char head[] = "usage: ";
	size_t indent = strlen(head) + strlen(name) + 1;

	printf("%*s%s ", (int)strlen(head), first ? head : "", name);
	print_parts(
	    synopsis, indent, help_width() < WIDTH_BESIDE ? strlen(head) + 1 : indent);
}

/* Prints the rest of a line of help from column indent on, broken at spaces. */
static void print_wrapped(const char *help, size_t indent)
{
	print_parts(help, indent, indent);
}

/* Prints the heading of a group of options. */
static void print_heading(const char *title)
{
	char *line = str_format("%s:", title);

	putchar('\n');
	print_wrapped(line, 0);
	free(line);
}

/* Prints an option with its help. */
static void print_option(const struct opt *o, const char *help)
{
	const size_t indent = help_width() < WIDTH_BESIDE ? INDENT_BELOW : INDENT_BESIDE;
	char left[64];

	snprintf(left, sizeof(left), "%c%c%s--%s%s%s", o->letter ? '-' : ' ',
	    o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
	    o->arg ? " " : "", o->arg ? o->arg : "");
	if (indent == INDENT_BELOW || strlen(left) >= INDENT_BESIDE - 3)
		printf("  %s\n%*s", left, (int)indent, "");
	else
		printf("  %-*s ", INDENT_BESIDE - 3, left);
	print_wrapped(help, indent);
}

bool opt_ends_table(const struct opt *o)
{
	return !o->name && !o->help;
}

/* Returns the next row of the first tables, options and headings; NULL after the last. */
static const struct opt *next_row(
    const struct opt_tables *t, size_t tables, size_t *table, size_t *i)
{
	for (; *table < tables; ++*table, *i = 0)
		if (!opt_ends_table(&t->table[*table][*i]))
			return &t->table[*table][(*i)++];
	return NULL;
}

const struct opt *opt_tables_next(
    const struct opt_tables *t, size_t tables, size_t *table, size_t *i)
{
	const struct opt *o;

	while ((o = next_row(t, tables, table, i)) && !o->name)
		;
	return o;
}

/* Returns the help of an option. That of -v depends on the program. */
static const char *help_of(const struct opt_program *p, const struct opt *o)
{
	if (o->dest == &opt_common.verbose && p->verbose)
		return p->verbose;
	if (o->name && strcmp(o->name, "table") == 0 && p->table)
		return p->table;
	return o->help;
}

void opt_print_help(const struct opt_program *p, const struct opt_tables *t)
{
	size_t table = 0, i = 0;
	const struct opt *o;

	for (size_t s = 0; p->synopsis[s]; s++)
		print_usage(p->name, p->synopsis[s], !s);
	putchar('\n');
	print_wrapped(p->summary, 0);
	if (p->opts && p->opts->name)
		printf("\nOptions:\n");
	while ((o = next_row(t, t->shown, &table, &i)))
		if (o->name)
			print_option(o, help_of(p, o));
		else
			print_heading(o->help);
	for (size_t w = 0; p->words && p->words[w].name; w++) {
		if (w == 0)
			print_heading(p->words_title);
		printf("  %-12s ", p->words[w].name);
		print_wrapped(p->words[w].meaning, INDENT_WORD);
	}
	putchar('\n');
	if (p->variable) {
		char *note = str_format(
		    "Options in $%s are read before the command line.", p->variable);

		print_wrapped(note, 0);
		free(note);
	}
	printf("See %s(1) for details.\n", p->name);
}

void opt_print_values(const struct opt_program *p, char *const *operand, size_t count)
{
	static struct known_names known;

	if (p->values)
		p->values(&known, operand[0], operand + 1, count - 1);
	for (size_t i = 0; i < known.count; i++)
		if (display_ascii(known.name[i]) == known.name[i].len)
			printf("%.*s\n", (int)known.name[i].len, known.name[i].ptr);
}

void opt_print_list(const struct opt_program *p, const struct opt_tables *t)
{
	size_t table = 0, i = 0;
	const struct opt *o;

	while ((o = opt_tables_next(t, t->shown, &table, &i))) {
		if (o->letter)
			printf("-%c", o->letter);
		printf("\t--%s\t%s\t%s\n", o->name, o->arg ? o->arg : "", help_of(p, o));
	}
	for (size_t w = 0; p->words && p->words[w].name; w++)
		printf("verb\t%s\n", p->words[w].name);
}
