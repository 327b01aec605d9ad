/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses random bytes as a page of formats: a target of libFuzzer, which
 * tests/convert/fuzz.sh runs. A page that is rejected must have one line as the message. By
 * any other, a file is read: one that the page recognizes, if there is one. At the end, the
 * number of pages of each result is printed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/dir_names.h"
#include "tests/convert/read_by_page.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static const char directory[] = "tests/fixtures/data/formats";
static struct source *file;
static size_t files, pages, parsed;

static void print_counts(void)
{
	fprintf(stderr, "FILES %zu NO_JSON 0 CONVERTED %zu\n", pages, parsed);
}

static void require(bool kept, const char *rule, const char *message)
{
	if (kept)
		return;
	fprintf(stderr, "%s: %s\n", rule, message);
	abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char **name;
	struct fault f;

	(void)argc;
	(void)argv;
	files = dir_names(directory, &name);
	require(files > 0, "no files", directory);
	file = mem_zero(files, sizeof(*file));
	for (size_t i = 0; i < files; i++) {
		char *path = str_format("%s/%s", directory, name[i]);
		struct buf text = { 0 };

		require(file_read(path, &text, &f) == 0, "no file", f.text);
		file[i].name = "a file";
		file[i].text = text_in(&text);
		file[i].doc = doc_read(file[i].text, path, &f); /* NULL: CSV */
		free(path);
	}
	dir_names_free(name, files);
	atexit(print_counts);
	return 0;
}

/* Returns a file that the page recognizes, or any one. */
static struct source *find_file(const struct format_page *page, size_t first)
{
	for (size_t i = 0; i < files; i++) {
		struct source *s = &file[(first + i) % files];

		if (format_page_recognize(page, s))
			return s;
	}
	return &file[first];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct text t = { (const char *)bytes, len };
	struct fault f = { .text = "" };
	struct format_page *page = format_page_parse(t, "page", "page", &f);
	struct source *s;
	size_t rows;

	pages++;
	require(page || is_rejected(&f), "not one line", f.text);
	if (!page)
		return 0;
	parsed++;
	s = find_file(page, text_hash(t, 1) % files);
	s->page = page;
	require(reads_twice(s, &rows), "the passes differ", "");
	format_page_free(page);
	return 0;
}
