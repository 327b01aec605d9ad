/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts random bytes as files of other programs: a target of libFuzzer, which `make
 * fuzz` runs. The format is detected, unless $FUZZ_FROM names it. A file that is rejected
 * must have one line as the message and no output. The rows of any other file must be
 * readable, and are converted to one more format, which depends on the bytes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "convert/convert.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	setenv("BENCH_SHARE", "share", 0);
	return 0;
}

static void require(bool kept, const char *rule, const char *message)
{
	if (kept)
		return;
	fprintf(stderr, "%s: %s\n", rule, message);
	abort();
}

/* Converts a text. Returns 0, or -1 if the text was rejected. */
static int convert_one(const char *from, const char *to, struct text t, struct buf *out)
{
	struct convert c = { .from = from, .to = to, .render = RENDER_CSV };
	struct buf notes = { 0 };
	struct fault f = { .text = "" };
	char *text = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&text, &len);
	int status = convert_inputs(&c,
	    &(struct convert_input){ .name = "a file", .text = t }, 1, stream, &notes, &f);

	fclose(stream);
	out->len = 0;
	buf_put(out, text, len);
	if (status < 0) {
		require(f.text[0] && !strchr(f.text, '\n'), "not one line", f.text);
		require(len == 0, "output of a rejected file", f.text);
	} else {
		/* A table may have no rows. */
		require(len > 0 || strcmp(to, "json-lines") == 0, "no output", to);
	}
	require(!notes.len || notes.ptr[notes.len - 1] == '\n', "open line", notes.ptr);
	free(text);
	buf_free(&notes);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct text t = { (const char *)bytes, len };
	const char *from = getenv("FUZZ_FROM");
	const struct format *to = formats_known[text_hash(t, 1) % formats_count];
	struct buf rows = { 0 }, other = { 0 };

	if (convert_one(from, "csv", t, &rows) == 0) {
		if (convert_one(NULL, "json", (struct text){ rows.ptr, rows.len }, &other) <
		    0)
			require(false, "rows that cannot be read", rows.ptr);
		if (format_writes(to))
			convert_one(from, to->name, t, &other);
	}
	buf_free(&rows);
	buf_free(&other);
	return 0;
}
