/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See gzip.h. */
#include <limits.h>
#include <zlib.h>

#include "io/gzip.h"

enum { GZIP_FORMAT = 16 }; /* added to the bits of the window */

int gzip_put(struct buf *b, struct text t, struct fault *f)
{
	z_stream z = { 0 };
	uLong most;
	int status;

	if (t.len > UINT_MAX / 2)
		return fault_set(f, "%zu bytes are too many to compress", t.len);
	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP_FORMAT,
	        MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return fault_set(f, "cannot begin to compress");
	most = deflateBound(&z, (uLong)t.len);
	buf_room(b, most);
	z.next_in = (z_const Bytef *)(uintptr_t)t.ptr;
	z.avail_in = (uInt)t.len;
	z.next_out = (Bytef *)b->ptr + b->len;
	z.avail_out = (uInt)most;
	status = deflate(&z, Z_FINISH);
	if (status == Z_STREAM_END) {
		b->len += z.total_out;
		b->ptr[b->len] = '\0';
	}
	deflateEnd(&z);
	return status == Z_STREAM_END ? 0
	                              : fault_set(f, "cannot compress %zu bytes", t.len);
}
