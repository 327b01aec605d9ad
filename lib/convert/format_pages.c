/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads pages of formats; see format_pages.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/dir_names.h"
#include "base/paths.h"
#include "convert/format_pages.h"
#include "convert/format_reader.h"
#include "convert/from.h"
#include "text/display_text.h"

/* Appends the format that a page describes. */
static void add_page(struct format_pages *p, const struct format_page *page)
{
	struct format *format = VEC_ADD(p->format, p->count, p->cap);

	*format = (struct format){ .name = page->name,
		.meaning = page->meaning,
		.is_json = !page->is_csv,
		.read = format_page_read,
		.page = page };
}

static void free_page(const struct format *format)
{
	format_page_free((struct format_page *)(uintptr_t)format->page);
}

static void remove_page(struct format_pages *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (strcmp(p->format[i].name, name) == 0) {
			free_page(&p->format[i]);
			p->format[i] = p->format[--p->count];
			return;
		}
}

/* Reads a page, instead of an earlier one of the same name. Returns 0, or -1 and the
 * message. */
static int read_page(
    struct format_pages *p, const char *path, const char *name, struct fault *f)
{
	struct buf text = { 0 };
	struct format_page *page = NULL;

	for (size_t i = 0; i < formats_count; i++)
		if (strcmp(formats_known[i]->name, name) == 0)
			return fault_set(f,
			    "%s: the format %s is not a page and cannot be replaced", path,
			    name);
	if (file_read(path, &text, f) == 0)
		page =
		    format_page_parse(text_in(&text), name, path, f);
	buf_free(&text);
	if (!page)
		return -1;
	remove_page(p, name);
	add_page(p, page);
	return 0;
}

/* Checks that a path in a directory is neither a pipe, which would block, nor a device. */
static int check_file(const char *path, struct fault *f)
{
	struct stat s;

	if (stat(path, &s) < 0)
		return fault_errno(f, "%s", path);
	return S_ISREG(s.st_mode) ? 0 : fault_set(f, "%s: not a regular file", path);
}

/* Reads a page of the user. */
static void read_own(struct format_pages *p, const char *path, const char *name)
{
	struct fault why;

	if (check_file(path, &why) == 0 && read_page(p, path, name, &why) == 0)
		return;
	remove_page(p, name);
	*VEC_ADD(p->broken, p->broken_count, p->broken_cap) =
	    (struct broken_page){ .name = str_copy(name), .why = why };
}

/* Reads the pages of a directory, if there is one. Returns 0, or -1 and the message if an
 * installed page cannot be read. */
static int read_directory(
    struct format_pages *p, const char *directory, bool own, struct fault *f)
{
	char **name;
	size_t count = dir_names(directory, &name);
	int status = 0;

	if (!name && !(own && errno == ENOENT))
		fault_set(&p->missing, "%s: %s; its pages of formats are not used",
		    directory, strerror(errno));
	for (size_t i = 0; i < count && status == 0; i++) {
		char *path;

		if (text_ends(text_of(name[i]), "~")) /* the copy that an editor keeps */
			continue;
		path = str_format("%s/%s", directory, name[i]);
		if (own)
			read_own(p, path, name[i]);
		else
			status =
			    check_file(path, f) < 0 ? -1 : read_page(p, path, name[i], f);
		free(path);
	}
	dir_names_free(name, count);
	return status;
}

/* Returns the directory of the user's pages; allocated. NULL: there is none. */
static char *user_directory(void)
{
	return user_path("XDG_CONFIG_HOME", ".config", "formats");
}

/* Orders formats by the number of needs, the most first, and then by name. */
static int by_needs(const void *a, const void *b)
{
	const struct format *x = a, *y = b;
	size_t of_x = x->page->needs.count, of_y = y->page->needs.count;

	return of_x != of_y ? (of_x < of_y ? 1 : -1) : strcmp(x->name, y->name);
}

int format_pages_load(struct format_pages *p, struct fault *f)
{
	char *installed, *own;
	int status;

	if (p->loaded)
		return 0;
	installed = share_path("formats");
	own = user_directory();
	status = read_directory(p, installed, false, f);
	if (status == 0 && own)
		status = read_directory(p, own, true, f);
	if (p->count)
		qsort(p->format, p->count, sizeof(*p->format), by_needs);
	p->loaded = status == 0;
	free(installed);
	free(own);
	return status;
}

void format_pages_note(const struct format_pages *p, struct buf *notes)
{
	if (p && p->missing.text[0]) {
		display_text_clean(notes, text_of(p->missing.text));
		buf_byte(notes, '\n');
	}
	for (size_t i = 0; p && i < p->broken_count; i++) {
		display_text_clean(notes, text_of(p->broken[i].why.text));
		buf_str(notes, "; the page is not used\n");
	}
}

int format_pages_find(
    struct format_pages *p, const char *name, const struct format **out, struct fault *f)
{
	const char *slash = strrchr(name, '/');

	if (slash) {
		if (read_page(p, name, slash + 1, f) < 0)
			return -1;
		*out = &p->format[p->count - 1];
		return 0;
	}
	if (format_pages_load(p, f) < 0)
		return -1;
	for (size_t i = 0; i < p->broken_count; i++)
		if (strcmp(p->broken[i].name, name) == 0)
			return fault_set(f, "%s", p->broken[i].why.text);
	for (size_t i = 0; i < p->count; i++)
		if (strcmp(p->format[i].name, name) == 0)
			*out = &p->format[i];
	return *out || !p->missing.text[0]
	           ? 0
	           : fault_set(f, "cannot read the format '%s': %s", name, p->missing.text);
}

int format_pages_recognize(struct format_pages *p, const struct source *s,
    const struct format **out, struct fault *f)
{
	if (!p)
		return 0;
	if (format_pages_load(p, f) < 0)
		return -1;
	for (size_t i = 0; i < p->count; i++)
		if (format_page_recognize(p->format[i].page, s)) {
			*out = &p->format[i];
			return 0;
		}
	return 0;
}

void format_pages_names(const struct format_pages *p, struct known_names *k)
{
	for (size_t i = 0; p && i < p->count; i++)
		known_names_add(k, text_of(p->format[i].name));
}

void format_pages_free(struct format_pages *p)
{
	for (size_t i = 0; i < p->count; i++)
		free_page(&p->format[i]);
	for (size_t i = 0; i < p->broken_count; i++)
		free(p->broken[i].name);
	free(p->format);
	free(p->broken);
}
