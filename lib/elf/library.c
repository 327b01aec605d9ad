/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads libraries; see library.h. Each library is read once and cached until the program
 * ends, because most objects need the same libraries.
 */
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf/ld_cache.h"
#include "elf/library.h"
#include "elf/versions.h"

/* The cached libraries by path; NULL: cannot be used. */
static struct {
	struct intern paths;
	struct library **item;
	size_t count, cap;
} known;

static void add_name(struct names *n, const char *name)
{
	*VEC_ADD(n->item, n->count, n->cap) = str_copy(name);
}

static void free_names(struct names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free((char *)n->item[i]);
	free(n->item);
}

static void add_dynamic(void *ctx, const struct elf_dynamic *d)
{
	struct library *l = ctx;

	if (!d->text)
		return;
	if (d->tag == DT_NEEDED)
		add_name(&l->needed, d->text);
	else if (d->tag == DT_SONAME && !l->soname)
		l->soname = str_copy(d->text);
	else if (d->tag == DT_RPATH && !l->rpath)
		l->rpath = str_copy(d->text);
	else if (d->tag == DT_RUNPATH && !l->runpath)
		l->runpath = str_copy(d->text);
}

static void add_symbol(void *ctx, const struct elf_symbol *s)
{
	struct library *l = ctx;

	if (s->kind != ELF_SYMBOL_UNDEFINED)
		intern_add(&l->exported, text_of(s->name));
	else if (!s->weak)
		add_name(&l->undefined, s->name);
}

static void add_wanted(void *ctx, const char *library, const char *version)
{
	struct library *l = ctx;

	add_name(&l->wanted, library);
	add_name(&l->wanted, version);
}

static void add_defined(void *ctx, const char *version)
{
	struct library *l = ctx;

	intern_add(&l->versions, text_of(version));
}

struct library *library_of(const struct elf_file *e)
{
	struct text strings = elf_file_section(e, ".dynstr");
	struct library *l = mem_zero(1, sizeof(*l));
	char *slash;

	elf_file_head(e, &l->head);
	l->path = str_copy(elf_file_path(e));
	l->directory = realpath(l->path, NULL);
	slash = l->directory ? strrchr(l->directory, '/') : NULL;
	if (slash)
		*slash = '\0';
	elf_file_dynamic(e, add_dynamic, l);
	elf_file_exports(e, add_symbol, l);
	versions_wanted(elf_file_section(e, ".gnu.version_r"), strings, add_wanted, l);
	versions_defined(elf_file_section(e, ".gnu.version_d"), strings, add_defined, l);
	return l;
}

void library_free(struct library *l)
{
	free_names(&l->needed);
	free_names(&l->undefined);
	free_names(&l->wanted);
	intern_free(&l->exported);
	intern_free(&l->versions);
	free(l->path);
	free(l->directory);
	free(l->soname);
	free(l->rpath);
	free(l->runpath);
	free(l);
}

/* Returns the library at a path, or NULL if it does not exist or is for another machine. */
static struct library *library_at(const char *path, const struct elf_head *like)
{
	size_t i = intern_add(&known.paths, text_of(path));
	struct library *l;

	if (i == known.count) {
		struct elf_file *e = elf_file_peek(path);

		*VEC_ADD(known.item, known.count, known.cap) = e ? library_of(e) : NULL;
		elf_file_close(e);
	}
	l = known.item[i];
	return l && l->head.machine == like->machine && l->head.is_64 == like->is_64 &&
	               l->head.is_big_endian == like->is_big_endian
	           ? l
	           : NULL;
}

/* Returns a directory of a search path with $ORIGIN replaced; allocated. */
static char *expand_origin(const struct library *from, struct text entry)
{
	static const char *const tokens[] = { "$ORIGIN", "${ORIGIN}" };
	struct buf b = { 0 };

	buf_put(&b, "", 0);
	while (entry.len) {
		size_t t = 0, len = 0;

		for (; t < COUNT(tokens); t++) {
			len = strlen(tokens[t]);
			if (entry.len >= len && memcmp(entry.ptr, tokens[t], len) == 0)
				break;
		}
		if (t < COUNT(tokens))
			buf_str(&b, from->directory ? from->directory : ".");
		else
			buf_byte(&b, *entry.ptr), len = 1;
		entry.ptr += len;
		entry.len -= len;
	}
	return b.ptr;
}

/*
 * Searches directories separated by colons, or also semicolons in the environment. An empty
 * directory is the working directory.
 */
static struct library *find_in_path(const struct library *from, const char *path,
    const char *separators, const char *name, const struct elf_head *like)
{
	struct library *found = NULL;

	for (const char *p = path; p && !found; p++) {
		struct text entry = { p, strcspn(p, separators) };
		char *directory = expand_origin(from, entry);
		char *file = str_format("%s/%s", *directory ? directory : ".", name);

		found = library_at(file, like);
		free(directory);
		free(file);
		p += entry.len;
		if (!*p)
			break;
	}
	return found;
}

static struct library *find_in_cache(const char *name, const struct elf_head *like)
{
	struct library *found = NULL;
	const char *path;

	for (size_t from = 0; !found && (path = ld_cache_find(name, &from));)
		found = library_at(path, like);
	return found;
}

/* Returns the path of the C library of this program, or NULL. */
static const char *path_of_c(void)
{
	FILE *(*of_libc)(const char *, const char *) = fopen;
	void *address;
	Dl_info info;

	memcpy(&address, &of_libc, sizeof(address));
	return dladdr(address, &info) ? info.dli_fname : NULL;
}

struct library *library_of_c(const struct elf_head *like)
{
	const char *path = path_of_c();

	return path ? library_at(path, like) : NULL;
}

/*
 * Searches the default directories of ld.so: the common ones, and the directory of the C
 * library of this program, which Debian adds for each architecture.
 */
static struct library *find_in_standard(
    const struct library *from, const char *name, const struct elf_head *like)
{
	static const char common[] = "/lib:/usr/lib:/lib64:/usr/lib64";
	struct library *found = find_in_path(from, common, ":", name, like);
	const char *path = path_of_c(), *slash = path ? strrchr(path, '/') : NULL;

	if (found || !slash)
		return found;
	char *directory = mem_text(path, (size_t)(slash - path));
	found = find_in_path(from, directory, ":", name, like);
	free(directory);
	return found;
}

struct library *library_seek(struct library *const *chain, size_t from,
    const size_t *parent, const char *name, const struct elf_head *like)
{
	const char *env = getenv("LD_LIBRARY_PATH");
	const struct library *l = chain[from];
	struct library *found = NULL;

	if (strchr(name, '/')) {
		char *path = expand_origin(l, text_of(name));

		found = library_at(path, like);
		free(path);
		return found;
	}
	if (!l->runpath)
		for (size_t i = from; !found; i = parent[i]) {
			if (!chain[i]->runpath)
				found = find_in_path(
				    chain[i], chain[i]->rpath, ":", name, like);
			if (i == parent[i])
				break;
		}
	if (!found && env && *env)
		found = find_in_path(l, env, ":;", name, like);
	if (!found)
		found = find_in_path(l, l->runpath, ":", name, like);
	if (!found)
		found = find_in_cache(name, like);
	return found ? found : find_in_standard(l, name, like);
}
