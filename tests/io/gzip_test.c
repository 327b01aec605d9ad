/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of gzip: texts of several sizes come back, and damaged or too large files do not.
 */
#include <stdlib.h>

#include "io/gzip.h"
#include "tests/lib/tap.h"

/* Appends a compressed string, which must not become longer than a limit. */
static int put(struct buf *b, struct text t, size_t most, struct fault *f)
{
	struct gzip *g = gzip_open(most);

	gzip_add(g, t);
	return gzip_close(g, b, f);
}

/* Fills a buffer with bytes that repeat only in part. */
static void put_bytes(struct buf *b, size_t count)
{
	uint32_t state = 20261128;

	for (size_t i = 0; i < count; i++) {
		state = state * 1664525 + 1013904223;
		buf_byte(b, i % 3 ? 'x' : (char)(state >> 24));
	}
}

static void comes_back(size_t count)
{
	struct buf plain = { 0 }, packed = { 0 }, back = { 0 };
	struct fault f;

	put_bytes(&plain, count);
	tap_ok(put(&packed, text_in(&plain), SIZE_MAX, &f) == 0 &&
	           gzip_detect(text_in(&packed)) &&
	           gzip_get(&back, text_in(&packed), count, &f) == 0 &&
	           text_equal(text_in(&plain), text_in(&back)),
	    "%zu bytes are unchanged after gzip_add and gzip_get", count);
	if (count > 0) {
		back.len = 0;
		tap_ok(gzip_get(&back, text_in(&packed), count - 1, &f) < 0 &&
		           strstr(f.text, "more than"),
		    "gzip_get rejects %zu bytes if at most %zu are allowed", count,
		    count - 1);
	}
	buf_free(&plain);
	buf_free(&packed);
	buf_free(&back);
}

/* Reads a file with one byte changed or with its end missing, at each place. */
static void rejects_damage(void)
{
	struct buf plain = { 0 }, packed = { 0 }, back = { 0 };
	size_t cut = 0, changed = 0;
	struct fault f;

	put_bytes(&plain, 300);
	put(&packed, text_in(&plain), SIZE_MAX, &f);
	for (size_t i = 3; i < packed.len; i++) {
		back.len = 0;
		cut += gzip_get(&back, (struct text){ packed.ptr, i }, 300, &f) < 0;
		packed.ptr[i] ^= 1;
		back.len = 0;
		changed += gzip_get(&back, text_in(&packed), 300, &f) < 0 ||
		           text_equal(text_in(&plain), text_in(&back));
		packed.ptr[i] ^= 1;
	}
	tap_ok(cut == packed.len - 3, "gzip_get rejects a file that was cut off anywhere");
	tap_ok(changed == packed.len - 3,
	    "gzip_get rejects a changed byte or returns the original text");
	buf_free(&plain);
	buf_free(&packed);
	buf_free(&back);
}

/* The length of the file is the least limit that is enough. */
static void stops_at_limit(void)
{
	struct buf plain = { 0 }, packed = { 0 }, again = { 0 };
	struct fault f;
	int enough, less;

	put_bytes(&plain, 300000);
	put(&packed, text_in(&plain), SIZE_MAX, &f);
	enough = put(&again, text_in(&plain), packed.len, &f);
	tap_ok(enough == 0 && text_equal(text_in(&packed), text_in(&again)),
	    "gzip_close gives the same file if it has exactly the longest length");
	less = put(&again, text_in(&plain), packed.len - 1, &f);
	tap_ok(less < 0 && strstr(f.text, "longer than 0.1 MB") &&
	           text_equal(text_in(&packed), text_in(&again)),
	    "gzip_close fails beyond the limit, and leaves the buffer as it was");
	buf_free(&plain);
	buf_free(&packed);
	buf_free(&again);
}

int main(void)
{
	static const size_t counts[] = { 0, 1, 1000, 65536, 65537, 1000000 };

	for (size_t i = 0; i < COUNT(counts); i++)
		comes_back(counts[i]);
	rejects_damage();
	stops_at_limit();
	tap_ok(!gzip_detect(TEXT("\x1f")) && !gzip_detect(TEXT("metric,value")),
	    "gzip_detect recognizes no other text");
	return tap_end();
}
