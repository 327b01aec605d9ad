/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts random bytes as files of other programs: a target of libFuzzer, which
 * tests/convert/fuzz.sh runs for each format. $FUZZ_FROM names the format, which is
 * detected if it is "any". Each conversion keeps the rules of convert_one.h. The rows of a
 * file that is not rejected must be readable, and the file is converted to one more format,
 * which depends on the bytes. At the end, the number of files of each result is printed.
 */
#include "convert/format_pages.h"
#include "io/gzip.h"
#include "tests/convert/convert_one.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

enum { NO_JSON_MOST = 1000 };

static const char *from;
static bool is_json; /* what `from` reads */
static struct format_pages pages;
static size_t files, no_json, converted;

static void print_counts(void)
{
	fprintf(stderr, "FILES %zu NO_JSON %zu CONVERTED %zu\n", files, no_json, converted);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct fault f;

	(void)argc;
	(void)argv;
	from = getenv("FUZZ_FROM");
	if (from && strcmp(from, "any") == 0)
		from = NULL;
	setenv("BENCH_SHARE", "share", 0);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	if (format_pages_load(&pages, &f) < 0) {
		fprintf(stderr, "%s\n", f.text);
		exit(1);
	}
	for (size_t i = 0; from && i < formats_count; i++)
		is_json |=
		    strcmp(formats_known[i]->name, from) == 0 && formats_known[i]->is_json;
	for (size_t i = 0; from && i < pages.count; i++)
		is_json |=
		    strcmp(pages.format[i].name, from) == 0 && pages.format[i].is_json;
	atexit(print_counts);
	return 0;
}

/* Converts a text as convert_one() does, and ends the program if a rule is broken. */
static int convert(const char *source, const char *to, struct text t, struct conversion *r)
{
	const struct convert c = { .from = source, .to = to, .pages = &pages };
	int status = convert_one(&c, t, r);

	if (!r->broken)
		return status;
	fprintf(stderr, "%s: %s\n", r->broken, r->message.text);
	abort();
}

/*
 * Returns whether a text is one more that is no JSON although the format is. They all are
 * rejected before the reader is called: if they reached code, libFuzzer would keep them,
 * and change them instead of those that the reader gets.
 */
static bool is_in_vain(struct text t)
{
	struct fault ignored;
	struct json_t *doc;

	if (!is_json || no_json < NO_JSON_MOST)
		return false;
	doc = doc_read(t, "", &ignored);
	if (!doc)
		return !gzip_detect(t) && ++no_json;
	doc_free(doc);
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct text t = { (const char *)bytes, len };
	const struct format *to = formats_known[text_hash(t, 1) % formats_count];
	struct conversion rows = { 0 }, other = { 0 };

	files++;
	if (is_in_vain(t))
		return 0;
	if (convert(from, "csv", t, &rows) == 0) {
		converted++;
		if (convert(NULL, "json", text_in(&rows.out),
		        &other) < 0) {
			fprintf(stderr, "rows that cannot be read: %s\n%.*s\n",
			    other.message.text, (int)rows.out.len, rows.out.ptr);
			abort();
		}
		if (format_writes(to))
			convert(from, to->name, t, &other);
	} else {
		no_json += strstr(rows.message.text, ": not valid JSON: ") != NULL;
	}
	conversion_free(&rows);
	conversion_free(&other);
	return 0;
}
