/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See gzip.h. */
#include <limits.h>
#include <zlib.h>

#include "io/gzip.h"

enum { GZIP_FORMAT = 16 }; /* added to the bits of the window */

int gzip_put(struct buf *b, struct text t, size_t most, struct fault *f)
{
	z_stream z = { 0 };
	uLong bound;
	int status;

	if (t.len > UINT_MAX / 2)
		return fault_set(f, "%zu bytes are too many to compress", t.len);
	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP_FORMAT,
	        MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return fault_set(f, "cannot begin to compress");
	bound = deflateBound(&z, (uLong)t.len);
	if (bound > most)
		bound = most;
	buf_room(b, bound);
	z.next_in = (z_const Bytef *)(uintptr_t)t.ptr;
	z.avail_in = (uInt)t.len;
	z.next_out = (Bytef *)b->ptr + b->len;
	z.avail_out = (uInt)bound;
	status = deflate(&z, Z_FINISH);
	if (status == Z_STREAM_END)
		b->len += z.total_out;
	b->ptr[b->len] = '\0';
	deflateEnd(&z);
	if (status == Z_STREAM_END)
		return 0;
	return fault_set(f, "it is longer than %.1f MB, compressed", (double)most / 1e6);
}

int gzip_inflate(struct buf *b, struct text deflated, uint64_t size, struct fault *f)
{
	const uint64_t ratio_most = 1032; /* of deflate */
	z_stream z = { 0 };
	uint64_t left = size;
	int status = Z_OK;

	if (deflated.len > UINT_MAX || size / ratio_most > deflated.len)
		return fault_set(f, "the compressed data is damaged or too large");
	if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
		return fault_set(f, "cannot begin to decompress");
	buf_room(b, size);
	z.next_in = (z_const Bytef *)(uintptr_t)deflated.ptr;
	z.avail_in = (uInt)deflated.len;
	z.next_out = (Bytef *)b->ptr + b->len;
	while (status == Z_OK && left) {
		z.avail_out = left < UINT_MAX ? (uInt)left : UINT_MAX;
		left -= z.avail_out;
		status = inflate(&z, Z_NO_FLUSH);
		left += z.avail_out;
	}
	inflateEnd(&z);
	if (left || (status != Z_OK && status != Z_STREAM_END))
		return fault_set(f, "the compressed data is damaged");
	b->len += size;
	b->ptr[b->len] = '\0';
	return 0;
}

bool gzip_detect(struct text t)
{
	return t.len > 2 && memcmp(t.ptr, "\x1f\x8b", 2) == 0;
}

/* Appends what the members represent. Returns 0, or -1 and the message. */
static int inflate_members(struct buf *b, z_stream *z, uint64_t most, struct fault *f)
{
	enum { STEP = 1 << 16 };
	int status = Z_OK;

	while (status != Z_STREAM_END) {
		buf_room(b, STEP);
		z->next_out = (Bytef *)b->ptr + b->len;
		z->avail_out = STEP;
		status = inflate(z, Z_NO_FLUSH);
		b->len += STEP - z->avail_out;
		b->ptr[b->len] = '\0';
		if (status != Z_OK && status != Z_STREAM_END)
			return fault_set(f, "the compressed file is damaged or cut off");
		if (b->len > most)
			return fault_set(f,
			    "decompressed, the file has more than %llu bytes",
			    (unsigned long long)most);
		if (status == Z_STREAM_END && z->avail_in)
			status = inflateReset(z);
	}
	return 0;
}

int gzip_get(struct buf *b, struct text t, uint64_t most, struct fault *f)
{
	z_stream z = { 0 };
	int status;

	if (t.len > UINT_MAX)
		return fault_set(f, "%zu bytes are too many to decompress", t.len);
	if (inflateInit2(&z, MAX_WBITS + GZIP_FORMAT) != Z_OK)
		return fault_set(f, "cannot begin to decompress");
	z.next_in = (z_const Bytef *)(uintptr_t)t.ptr;
	z.avail_in = (uInt)t.len;
	status = inflate_members(b, &z, most, f);
	inflateEnd(&z);
	return status;
}

uint32_t gzip_checksum(struct text t)
{
	return (uint32_t)crc32_z(0, (const Bytef *)t.ptr, t.len);
}
