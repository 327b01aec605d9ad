/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that users take for texts; see not_text.h.
 */
#include <string.h>

#include "convert/from.h"
#include "convert/not_text.h"

#define DECOMPRESS ", which is not read: decompress the file first"
#define RECODE \
	"text in UTF-16, which is not read: convert it first (iconv -f UTF-16 -t UTF-8)"

static const struct {
	const char *begin, *reason;
} kinds[] = {
	{ "\x1f\x8b", "compressed twice with gzip" DECOMPRESS },
	{ "\xfd"
	  "7zXZ",
	    "compressed with xz" DECOMPRESS },
	{ "\x28\xb5\x2f\xfd", "compressed with zstd" DECOMPRESS },
	{ "BZh", "compressed with bzip2" DECOMPRESS },
	{ "PK\x03\x04", "an archive of zip" DECOMPRESS },
	{ "\xff\xfe", RECODE }, /* which PowerShell writes */
	{ "\xfe\xff", RECODE },
};

const char *not_text_reason(struct text t)
{
	if (!memchr(t.ptr, '\0', t.len))
		return NULL;
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (text_begins(t, kinds[i].begin))
			return kinds[i].reason;
	return "not a text file, because it has a NUL byte";
}
