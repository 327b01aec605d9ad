/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads zip files; see npz.h. The directory is at the end of the file (APPNOTE.TXT,
 * sections 4.3.7, 4.3.12 and 4.3.16); sizes above 4 GiB are in an extra field (4.5.3).
 */
#include <stdlib.h>

#include "io/gzip.h"
#include "port/npz.h"

enum { LOCAL = 0x04034b50, ENTRY = 0x02014b50, END = 0x06054b50, ZIP64 = 1 };
enum { LOCAL_BYTES = 30, ENTRY_BYTES = 46, END_BYTES = 22, COMMENT_MAX = 65535 };
enum { STORED = 0, DEFLATED = 8 };

/* A member of the archive. */
struct npz_member {
	struct text name;
	uint64_t method, packed, size, at; /* bytes, and where its local header is */
	uint64_t checksum;
};

static uint64_t number_at(struct text t, uint64_t at, int bytes)
{
	uint64_t value = 0;

	for (int i = bytes; i-- > 0;)
		value = value << 8 | (unsigned char)t.ptr[at + (uint64_t)i];
	return value;
}

bool npz_is(struct text file)
{
	return file.len >= LOCAL_BYTES && number_at(file, 0, 4) == LOCAL;
}

/* Replaces sizes that do not fit into 32 bits by those in the extra field. */
static bool read_large(struct npz_member *m, struct text extra)
{
	uint64_t *const field[] = { &m->size, &m->packed, &m->at };

	while (extra.len >= 4) {
		uint64_t kind = number_at(extra, 0, 2), len = number_at(extra, 2, 2),
		         at = 4;

		if (len > extra.len - 4)
			return false;
		for (size_t i = 0; kind == ZIP64 && i < COUNT(field); i++) {
			if (*field[i] != UINT32_MAX)
				continue;
			if (at + 8 > len + 4)
				return false;
			*field[i] = number_at(extra, at, 8);
			at += 8;
		}
		extra.ptr += len + 4;
		extra.len -= len + 4;
	}
	return true;
}

/* Reads the entry of the directory at *at, and moves *at to the next one. */
static bool next_member(struct text file, uint64_t *at, struct npz_member *m)
{
	uint64_t name, extra, note;

	if (*at > file.len || file.len - *at < ENTRY_BYTES ||
	    number_at(file, *at, 4) != ENTRY)
		return false;
	name = number_at(file, *at + 28, 2);
	extra = number_at(file, *at + 30, 2);
	note = number_at(file, *at + 32, 2);
	if (file.len - *at - ENTRY_BYTES < name + extra + note)
		return false;
	*m = (struct npz_member){ .name = { file.ptr + *at + ENTRY_BYTES, name },
		.method = number_at(file, *at + 10, 2),
		.checksum = number_at(file, *at + 16, 4),
		.packed = number_at(file, *at + 20, 4),
		.size = number_at(file, *at + 24, 4),
		.at = number_at(file, *at + 42, 4) };
	if (!read_large(m, (struct text){ file.ptr + *at + ENTRY_BYTES + name, extra }))
		return false;
	*at += ENTRY_BYTES + name + extra + note;
	return true;
}

/* Finds the end of the directory. Returns its place, or 0. */
static uint64_t find_end(struct text file)
{
	uint64_t last = file.len < END_BYTES ? 0 : file.len - END_BYTES;

	for (uint64_t i = 0; i <= COMMENT_MAX && i < last; i++)
		if (number_at(file, last - i, 4) == END)
			return last - i;
	return 0;
}

/* Appends the contents of a member. */
static int unpack(
    struct text file, const struct npz_member *m, struct buf *out, struct fault *f)
{
	const size_t old = out->len;
	uint64_t begin;
	struct text packed;

	if (m->at > file.len || file.len - m->at < LOCAL_BYTES ||
	    number_at(file, m->at, 4) != LOCAL)
		return fault_set(f, "the archive is damaged");
	begin = m->at + LOCAL_BYTES + number_at(file, m->at + 26, 2) +
	        number_at(file, m->at + 28, 2);
	if (begin > file.len || m->packed > file.len - begin)
		return fault_set(f, "the archive is truncated");
	packed = (struct text){ file.ptr + begin, m->packed };
	if (m->method == STORED && m->size == m->packed)
		buf_text(out, packed);
	else if (m->method != DEFLATED)
		return fault_set(f, "the archive has an unknown compression");
	else if (gzip_inflate(out, packed, m->size, f) < 0)
		return -1;
	if (gzip_checksum(text_after(text_in(out), old)) != m->checksum)
		return fault_set(f,
		    "the archive is damaged: the checksum of '%.*s' differs",
		    (int)(m->name.len < 80 ? m->name.len : 80), m->name.ptr);
	return 0;
}

int npz_read(struct text file, const char *array, struct buf *out, struct fault *f)
{
	const uint64_t end = find_end(file);
	uint64_t at = end ? number_at(file, end + 16, 4) : 0;
	char *wanted = str_format("%s.npy", array);
	struct buf names = { 0 };
	struct npz_member m;
	int status = 1;

	while (end && status > 0 && next_member(file, &at, &m))
		if (text_is(m.name, wanted))
			status = unpack(file, &m, out, f);
		else
			buf_printf(&names, "%s%.*s", names.len ? ", " : "",
			    (int)(m.name.len < 80 ? m.name.len : 80), m.name.ptr);
	if (status > 0)
		status = fault_set(f, "the archive has no array '%s' (there are: %s)",
		    array, names.len ? names.ptr : "none");
	buf_free(&names);
	free(wanted);
	return status;
}
