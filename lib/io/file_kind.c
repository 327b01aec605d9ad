/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See file_kind.h. No table begins as these files do, and most are no text in UTF-8. */
#include <errno.h>
#include <string.h>

#include "io/file_kind.h"

#define DECOMPRESS ", which is not read: decompress the file first"
#define UTF_16 "text in UTF-16, which is not read: convert it first"
#define ICONV "iconv -f UTF-16 -t UTF-8 FILE"

/* The first bytes, in which a question mark is any byte. */
static const struct file_kind {
	struct text begin;
	const char *reason;
	const char *command; /* the pipeline that writes the text; NULL: none */
} kinds[] = {
	{ TEXT("\x1f\x8b"), "compressed with gzip" DECOMPRESS, "zcat FILE" },
	{ TEXT("\xfd"
	       "7zXZ"),
	    "compressed with xz" DECOMPRESS, "xzcat FILE" },
	{ TEXT("\x28\xb5\x2f\xfd"), "compressed with zstd" DECOMPRESS, "zstdcat FILE" },
	{ TEXT("\x04\x22\x4d\x18"), "compressed with lz4" DECOMPRESS, "lz4cat FILE" },
	{ TEXT("BZh?1AY&SY"), "compressed with bzip2" DECOMPRESS, "bzcat FILE" },
	{ TEXT("PK\x03\x04"), "an archive of zip" DECOMPRESS, "unzip -p FILE" },
	{ TEXT("\xff\xfe"), UTF_16, ICONV }, /* which PowerShell writes */
	{ TEXT("\xfe\xff"), UTF_16, ICONV },
	{ TEXT("SQLite format 3\0"), "a database, not a stream: export its rows first",
	    "bench-store -D FILE export" },
	{ TEXT("PERFILE2"), "a profile of perf record, not a text file: convert it first",
	    "perf script -i FILE | bench-convert" },
	{ TEXT("\x7f"
	       "ELF"),
	    "a program or library, not a text file", NULL },
	{ TEXT("\x89PNG"), "an image, not a text file", NULL },
	{ TEXT("%PDF-"), "a document in PDF, not a text file", NULL },
};

static bool begins_as(struct text t, struct text begin)
{
	for (size_t i = 0; i < begin.len; i++)
		if (i >= t.len || (begin.ptr[i] != '?' && t.ptr[i] != begin.ptr[i]))
			return false;
	return true;
}

static const struct file_kind *find_kind(struct text t)
{
	static const bool is_first[256] = { [0x1f] = true,
		[0xfd] = true,
		[0x28] = true,
		[0x04] = true,
		['B'] = true,
		['P'] = true,
		[0xff] = true,
		[0xfe] = true,
		['S'] = true,
		[0x7f] = true,
		[0x89] = true,
		['%'] = true };

	if (!t.len || !is_first[(unsigned char)*t.ptr])
		return NULL;
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (begins_as(t, kinds[i].begin))
			return &kinds[i];
	return NULL;
}

/* Returns whether a program is the last one of a pipeline. */
static bool ends_in(const char *pipeline, const char *program)
{
	const char *last = strrchr(pipeline, ' ');

	return last && strcmp(last + 1, program) == 0;
}

bool file_kind_detect(struct text t)
{
	return find_kind(t) != NULL;
}

bool file_kind_explain(struct text t, struct buf *b)
{
	const struct file_kind *kind = find_kind(t);

	if (!kind)
		return false;
	buf_str(b, kind->reason);
	if (!kind->command)
		return true;
	buf_printf(b, " (%s", kind->command);
	if (!ends_in(kind->command, program_invocation_short_name))
		buf_printf(b, " | %s", program_invocation_short_name);
	buf_byte(b, ')');
	return true;
}
