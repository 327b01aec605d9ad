/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads files by pages of formats, where both are intact, and where one of them has random
 * changes. A changed page or file must be rejected with one line, or be read.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/convert/read_by_page.h"
#include "tests/lib/tap.h"

static const char files[] = "tests/fixtures/data/formats", pages[] = "share/formats";
static uint64_t state = 20261128;

static uint64_t next_random(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

/* Texts that replace parts of a file or page. */
static const char *const pieces[] = { "", "0", "-1", "1e999", "NaN", "null", "[]", "{}",
	"\"", "'", ",", "\n", " ", "true", "[[[", "\xff", "/", "..", "../../../..", "*",
	"@", "|", "{", "}", "=", "!", "#", "scale=", "only=", "metric ", "each ", "*/*/*",
	"\\", "9999999999999999999999" };

static void change(const struct buf *from, struct buf *out)
{
	out->len = 0;
	buf_put(out, from->ptr, from->len);
	for (uint64_t changes = 1 + next_random(3); changes; changes--) {
		size_t at = next_random(out->len + 1), len = next_random(12);
		struct buf rest = { 0 };

		if (next_random(30) == 0 || len > out->len - at)
			len = out->len - at;
		buf_put(&rest, out->ptr + at + len, out->len - at - len);
		out->len = at;
		buf_str(out, pieces[next_random(COUNT(pieces))]);
		buf_put(out, rest.ptr ? rest.ptr : "", rest.len);
		buf_free(&rest);
	}
}

/* Reads a file by a page. Returns whether it is rejected correctly or read. Sets *known if
 * the page recognizes the file. */
static bool reads_by(
    const struct format_page *page, struct text text, size_t *rows, bool *known)
{
	struct fault f = { .text = "" };
	struct source s = { .name = "a file", .text = text, .page = page };
	struct json_t *doc = page->is_csv ? NULL : doc_read(text, s.name, &f);
	bool fine;

	*rows = 0;
	*known = false;
	if (!page->is_csv && !doc)
		return is_rejected(&f);
	s.doc = doc;
	*known = format_page_recognize(page, &s);
	fine = reads_twice(&s, rows);
	if (doc)
		doc_free(doc);
	return fine;
}

/* Returns a file of a directory; the caller frees it. */
static struct buf load(const char *directory, const char *name)
{
	char *path = str_format("%s/%s", directory, name);
	struct buf text = { 0 };
	struct fault f;

	if (file_read(path, &text, &f) < 0)
		printf("# %s\n", f.text);
	free(path);
	return text;
}

static struct format_page *parse(const struct buf *text, const char *name, struct fault *f)
{
	return format_page_parse(text_in(text), name, name, f);
}

/* Reads a file many times with random changes of the page or of the file. */
static void fuzz(const char *name, const struct buf *page_text, const char *file,
    const struct buf *file_text)
{
	enum { TIMES = TAP_SANITIZED ? 400 : 1000 }; /* make fuzz tries many more */
	struct buf changed_page = { 0 }, changed_file = { 0 };
	size_t bad = 0;

	for (size_t i = 0; i < TIMES && !bad; i++) {
		struct fault f = { .text = "" };
		struct format_page *page;
		size_t rows;
		bool known;

		change(page_text, &changed_page);
		change(file_text, &changed_file);
		page = parse(i % 2 ? &changed_page : page_text, name, &f);
		if (!page) {
			bad += !is_rejected(&f);
			continue;
		}
		bad += !reads_by(page,
		    i % 4 == 1 ? text_in(file_text)
		               : text_in(&changed_file),
		    &rows, &known);
		format_page_free(page);
	}
	tap_ok(!bad, "%s with random changes is read by the page %s with random changes",
	    file, name);
	buf_free(&changed_page);
	buf_free(&changed_file);
}

/* Reads a file by the one page that recognizes it. */
static void read_file(const char *file, struct dirent **entry, int count)
{
	struct buf text = load(files, file);
	int readers = 0;

	for (int i = 0; i < count; i++) {
		const char *name = entry[i]->d_name;
		struct buf page_text = load(pages, name);
		struct fault f = { .text = "" };
		struct format_page *page = parse(&page_text, name, &f);
		size_t rows = 0;
		bool known = false;

		if (!page)
			printf("# %s\n", f.text);
		else if (!reads_by(
		             page, text_in(&text), &rows, &known))
			printf("# %s cannot read %s\n", name, file);
		if (known && rows) {
			readers++;
			fuzz(name, &page_text, file, &text);
		}
		if (page)
			format_page_free(page);
		buf_free(&page_text);
	}
	tap_ok(readers == 1, "exactly one page recognizes and reads %s", file);
	buf_free(&text);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && strcmp(entry->d_name, "README") != 0;
}

static void entries_free(struct dirent **entry, int count)
{
	for (int i = 0; i < count; i++)
		free(entry[i]);
	if (count >= 0)
		free(entry);
}

int main(void)
{
	struct dirent **file, **page;
	int file_count = scandir(files, &file, is_visible, alphasort),
	    page_count = scandir(pages, &page, is_visible, alphasort);

	for (int i = 0; i < file_count; i++)
		read_file(file[i]->d_name, page, page_count);
	tap_ok(file_count >= page_count && page_count > 0,
	    "there is a file for each page of formats");
	entries_free(file, file_count);
	entries_free(page, page_count);
	return tap_end();
}
