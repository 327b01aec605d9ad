/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Derives the objects of a schema from its text. SQLite could also report them after
 * running the statements in memory, but that takes 2 ms, more than the rest of a small
 * addition.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "db/schema_text.h"

bool schema_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/* Returns the end of the space or comment at p, or p. */
static const char *skip_gap(const char *p)
{
	const char *end;

	if (isspace((unsigned char)*p))
		return p + 1;
	if (p[0] == '-' && p[1] == '-')
		return p + strcspn(p, "\n");
	if (p[0] != '/' || p[1] != '*')
		return p;
	end = strstr(p + 2, "*/");
	return end ? end + 2 : p + strlen(p);
}

/* Returns the end of the character or of the quoted text at p. */
static const char *skip_unit(const char *p)
{
	const char *end;

	if (*p != '\'' && *p != '"' && *p != '`' && *p != '[')
		return p + 1;
	end = strchr(p + 1, *p == '[' ? ']' : *p);
	return end ? end + 1 : p + strlen(p);
}

char *schema_normalize(const char *sql)
{
	char *out = mem_resize(NULL, strlen(sql) + 1, 1); /* a gap has at least one byte */
	size_t len = 0;
	bool gap = false;

	for (const char *p = sql, *next; *p; p = next) {
		next = skip_gap(p);
		if (next > p) {
			gap = true;
			continue;
		}
		if (gap && len && schema_is_word(*p) && schema_is_word(out[len - 1]))
			out[len++] = ' ';
		gap = false;
		for (next = skip_unit(p); p < next; p++)
			out[len++] = *p;
	}
	out[len] = '\0';
	return out;
}

static void add_normal(struct schema_list *list, const char *name, char *sql)
{
	*VEC_ADD(list->object, list->count, list->cap) =
	    (struct schema_object){ str_copy(name), sql, false };
}

void schema_list_add(struct schema_list *list, const char *name, const char *sql)
{
	add_normal(list, name, schema_normalize(sql));
}

struct schema_object *schema_list_find(struct schema_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcasecmp(list->object[i].name, name) == 0)
			return &list->object[i];
	return NULL;
}

static void free_object(struct schema_object *o)
{
	free(o->name);
	free(o->sql);
}

void schema_list_free(struct schema_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free_object(&list->object[i]);
	free(list->object);
	*list = (struct schema_list){ 0 };
}

/* Returns the rest of s after a prefix, or NULL. */
static const char *after_prefix(const char *s, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(s, prefix, len) == 0 ? s + len : NULL;
}

/* Returns the word at *p, allocated, and moves *p after it. */
static char *take_word(const char **p)
{
	const char *begin = *p;

	while (schema_is_word(**p))
		++*p;
	return mem_text(begin, (size_t)(*p - begin));
}

/*
 * Returns where SQLite inserts a new column into a normalized definition: before the
 * first constraint of the table or, without constraints, before the closing parenthesis.
 */
static const char *find_columns_end(const char *sql)
{
	static const char *const words[] = { ",UNIQUE(", ",PRIMARY KEY(", ",CHECK(",
		",FOREIGN KEY(", ",CONSTRAINT " };
	int depth = 0;

	for (const char *p = sql; *p; p = skip_unit(p)) {
		if (*p == '(')
			depth++;
		else if (*p == ')' && --depth == 0)
			return p;
		for (size_t i = 0; depth == 1 && *p == ',' && i < COUNT(words); i++)
			if (after_prefix(p, words[i]))
				return p;
	}
	return NULL;
}

static bool add_column(struct schema_list *list, const char *p)
{
	char *name = take_word(&p);
	struct schema_object *table = schema_list_find(list, name);
	const char *column = after_prefix(p, " ADD COLUMN ");
	const char *end = table && column ? find_columns_end(table->sql) : NULL;

	free(name);
	if (end) {
		char *sql = str_format(
		    "%.*s,%s%s", (int)(end - table->sql), table->sql, column, end);

		free(table->sql);
		table->sql = sql;
	}
	return end;
}

static bool drop_object(struct schema_list *list, const char *name)
{
	struct schema_object *o = schema_list_find(list, name);

	if (!o)
		return false;
	free_object(o);
	*o = list->object[--list->count];
	return true;
}

static bool apply_statement(struct schema_list *list, const char *sql)
{
	static const char *const creating[] = { "CREATE TABLE ", "CREATE INDEX ",
		"CREATE UNIQUE INDEX ", "CREATE VIEW " };
	const char *rest;

	for (size_t i = 0; i < COUNT(creating); i++)
		if ((rest = after_prefix(sql, creating[i]))) {
			char *name = take_word(&rest);

			add_normal(list, name, str_copy(sql));
			free(name);
			return true;
		}
	if ((rest = after_prefix(sql, "ALTER TABLE ")))
		return add_column(list, rest);
	if ((rest = after_prefix(sql, "DROP VIEW ")))
		return drop_object(list, rest);
	return !*sql || after_prefix(sql, "INSERT INTO ") || after_prefix(sql, "UPDATE ");
}

bool schema_list_apply(struct schema_list *list, struct text statements)
{
	char *text = mem_text(statements.ptr, statements.len);
	char *sql = schema_normalize(text);
	bool known = true;
	char *begin = sql;

	for (char *p = sql; known && *p;) {
		char *next = sql + (skip_unit(p) - sql);

		if (*p == ';') {
			*p = '\0';
			known = apply_statement(list, begin);
			begin = next;
		}
		p = next;
	}
	known = known && apply_statement(list, begin);
	free(sql);
	free(text);
	return known;
}
