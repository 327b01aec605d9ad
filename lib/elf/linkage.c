/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the libraries that are loaded with an object, and the symbols that remain
 * undefined; see linkage.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "elf/library.h"
#include "elf/linkage.h"

/* The object and the libraries that are loaded with it, in the order of loading. */
struct closure {
	struct library **item;
	size_t *parent; /* index of the library that needed it first */
	size_t count, cap, parent_cap;
	struct intern names;    /* names by which they were needed, and sonames */
	struct library **named; /* by number in names */
	size_t named_count, named_cap;
};

static void closure_name(struct closure *c, const char *name, struct library *l)
{
	size_t names = c->names.count;

	if (intern_add(&c->names, text_of(name)) == names)
		*VEC_ADD(c->named, c->named_count, c->named_cap) = l;
}

static void closure_add(struct closure *c, struct library *l, size_t parent)
{
	size_t count = c->count;

	for (size_t i = 0; i < count; i++)
		if (c->item[i] == l)
			return;
	*VEC_ADD(c->parent, count, c->parent_cap) = parent;
	*VEC_ADD(c->item, c->count, c->cap) = l;
	if (l->soname)
		closure_name(c, l->soname, l);
}

static char *load_libraries(struct closure *c)
{
	const struct elf_head like = c->item[0]->head;

	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < c->item[i]->needed.count; k++) {
			const char *name = c->item[i]->needed.item[k];
			struct library *l;

			if (intern_find(&c->names, text_of(name)) >= 0)
				continue;
			l = library_seek(c->item, i, c->parent, name, &like);
			if (!l)
				return str_format("%s%sneeds %s, which is not found",
				    i ? c->item[i]->path : "", i ? " " : "", name);
			closure_name(c, name, l);
			closure_add(c, l, i);
		}
	return NULL;
}

/* Checks versions. A library without versions is accepted, as ld.so does. */
static char *check_versions(const struct closure *c, const struct library *of)
{
	const struct names *wanted = &of->wanted;

	for (size_t i = 0; i + 1 < wanted->count; i += 2) {
		const char *library = wanted->item[i], *version = wanted->item[i + 1];
		long number = intern_find(&c->names, text_of(library));
		const struct library *l = number < 0 ? NULL : c->named[number];

		if (!l || !l->versions.count ||
		    intern_find(&l->versions, text_of(version)) >= 0)
			continue;
		bool own = of == c->item[0];
		return str_format("%s%sneeds symbols of version %s, which %s lacks",
		    own ? "" : of->path, own ? "" : " ", version, library);
	}
	return NULL;
}

static bool is_exported(const struct closure *c, const char *symbol)
{
	for (size_t i = 0; i < c->count; i++)
		if (intern_find(&c->item[i]->exported, text_of(symbol)) >= 0)
			return true;
	return false;
}

static char *resolve_symbols(const struct closure *c, const struct library *of)
{
	const struct names *undefined = &of->undefined;
	const char *first = NULL;
	size_t others = 0;
	char more[32] = "";

	for (size_t i = 0; i < undefined->count; i++) {
		if (is_exported(c, undefined->item[i]))
			continue;
		if (first)
			others++;
		else
			first = undefined->item[i];
	}
	if (!first)
		return NULL;
	if (others)
		snprintf(more, sizeof(more), " and %zu more", others);
	if (of == c->item[0])
		return str_format(
		    "unresolved symbol%s: %s%s", others ? "s" : "", first, more);
	return str_format("unresolved symbol%s: %s%s (needed by %s)", others ? "s" : "",
	    first, more, of->path);
}

char *linkage_fault(const struct elf_file *e)
{
	struct closure c = { 0 };
	struct library *l = library_of(e), *of_c;
	char *fault;

	closure_add(&c, l, 0);
	/* The process that loads the object has already loaded the C library. */
	of_c = library_of_c(&l->head);
	if (of_c)
		closure_add(&c, of_c, 0);
	fault = load_libraries(&c);
	for (size_t i = 0; !fault && i < c.count; i++)
		fault = check_versions(&c, c.item[i]);
	for (size_t i = 0; !fault && i < c.count; i++)
		fault = resolve_symbols(&c, c.item[i]);
	library_free(l);
	free(c.item);
	free(c.parent);
	free(c.named);
	intern_free(&c.names);
	return fault;
}
