/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes files that are not text; see not_text.h. */
#include <string.h>

#include "convert/not_text.h"
#include "io/file_kind.h"
#include "io/gzip.h"

bool not_text_explain(struct text t, struct buf *b)
{
	if (!memchr(t.ptr, '\0', t.len))
		return false;
	if (gzip_detect(t))
		buf_str(b, "compressed twice with gzip, which is not read: decompress the "
		           "file first");
	else if (!file_kind_explain(t, b))
		buf_str(b, "not a text file, because it has a NUL byte");
	return true;
}
