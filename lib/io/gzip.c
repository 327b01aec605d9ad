/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compresses and decompresses; see gzip.h. */
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "io/gzip.h"

enum { GZIP_FORMAT = 16 }; /* added to the bits of the window */

struct gzip {
	z_stream z;
	struct buf out;
	size_t most;
	bool failed, full; /* full: the file would be too long */
};

struct gzip *gzip_open(size_t most)
{
	struct gzip *g = mem_zero(1, sizeof(*g));

	g->most = most;
	g->failed = deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
	                MAX_WBITS + GZIP_FORMAT, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK;
	return g;
}

/* Compresses the input that the stream refers to. */
static void deflate_all(struct gzip *g, int flush)
{
	enum { STEP = 1 << 14 };
	int status = Z_OK;

	while (!g->failed && !g->full && status == Z_OK && (g->z.avail_in || flush)) {
		buf_room(&g->out, STEP);
		g->z.next_out = (Bytef *)g->out.ptr + g->out.len;
		g->z.avail_out = STEP;
		status = deflate(&g->z, flush);
		g->out.len += STEP - g->z.avail_out;
		g->failed = status != Z_OK && status != Z_STREAM_END;
		g->full = g->out.len > g->most;
	}
}

void gzip_add(struct gzip *g, struct text t)
{
	while (t.len) {
		uInt len = t.len < UINT_MAX ? (uInt)t.len : UINT_MAX;

		g->z.next_in = (z_const Bytef *)(uintptr_t)t.ptr;
		g->z.avail_in = len;
		deflate_all(g, Z_NO_FLUSH);
		t = text_after(t, len);
	}
	g->z.avail_in = 0;
}

int gzip_close(struct gzip *g, struct buf *b, struct fault *f)
{
	int status = 0;

	deflate_all(g, Z_FINISH);
	deflateEnd(&g->z);
	if (g->full)
		status = fault_set(
		    f, "it is longer than %.1f MB, compressed", (double)g->most / 1e6);
	else if (g->failed)
		status = fault_set(f, "it cannot be compressed");
	else
		buf_text(b, text_in(&g->out));
	buf_free(&g->out);
	free(g);
	return status;
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
