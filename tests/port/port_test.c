/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks headers of NumPy's arrays and the sizes of open dimensions.
 */
#include <stdlib.h>

#include "port/npy.h"
#include "port/npz.h"
#include "port/port_shape.h"
#include "tests/lib/tap.h"

/* Returns a file of version 1 with this header and 8 bytes of elements. */
static struct buf npy_file(const char *header)
{
	struct buf file = { 0 };
	size_t len = strlen(header);

	buf_put(&file, "\x93NUMPY\1\0", 8);
	buf_byte(&file, (char)(len & 0xff));
	buf_byte(&file, (char)(len >> 8));
	buf_str(&file, header);
	buf_put(&file, "12345678", 8);
	return file;
}

static const struct {
	const char *header;
	const char *want; /* the type and shape, or a part of the message */
	bool good;
} headers[] = {
	{ "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }\n", "float32 1x2",
	    true },
	{ "{'shape':(2,),'fortran_order':False,'descr':'<f4'}", "float32 2", true },
	{ "{\"descr\": \"|b1\", \"fortran_order\": False, \"shape\": (8,)}", "bool 8",
	    true },
	{ "{'descr': '|u1', 'fortran_order': False, 'shape': ()}", "uint8 scalar", true },
	{ "{'descr': '>u1', 'fortran_order': False, 'shape': ()}", "uint8 scalar", true },
	{ "{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", "big-endian", false },
	{ "{'descr': '<f4', 'fortran_order': True, 'shape': (2,)}", "column-major", false },
	{ "{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "unknown type '<c8'",
	    false },
	{ "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
	    "not plain numbers", false },
	{ "{'descr': '<f4', 'fortran_order': False}", "no shape", false },
	{ "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "malformed", false },
	{ "{'descr': '<f4', 'fortran_order': False, 'shape': (2", "malformed", false },
	{ "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
	    "malformed", false },
	{ "", "not plain numbers", false },
};

static void check_headers(void)
{
	for (size_t i = 0; i < COUNT(headers); i++) {
		struct buf file = npy_file(headers[i].header);
		struct fault f = { "" };
		struct npy array;
		int status = npy_read(text_in(&file), &array, &f);
		char *got = NULL;

		if (status == 0) {
			char *shape = port_shape_text(array.size, array.dims);

			got = str_format("%s %s", array.type, shape);
			free(shape);
		}
		tap_ok(headers[i].good ? got && strcmp(got, headers[i].want) == 0 &&
		                             array.elements.len == 8
		                       : status < 0 && strstr(f.text, headers[i].want),
		    "NumPy's header gives %s: %s", headers[i].want, headers[i].header);
		free(got);
		buf_free(&file);
	}
}

static void check_truncated(void)
{
	struct buf file = npy_file(headers[0].header);
	size_t refused = 0, len = file.len - 8;
	struct fault f;
	struct npy array;

	for (size_t i = 0; i < len; i++) {
		char *part = mem_text(file.ptr, i);

		refused += npy_read((struct text){ part, i }, &array, &f) < 0;
		free(part);
	}
	tap_ok(refused == len,
	    "an array of NumPy is rejected when its header is cut anywhere");
	buf_free(&file);
}

/* Returns the sizes with these values, or the message; the caller frees it. */
static char *sizes_of(
    const struct backend_port *p, const struct binding *value, size_t values)
{
	int64_t size[BACKEND_PORT_DIMS];
	struct fault f;

	return port_sizes(p, value, values, size, &f) < 0 ? str_copy(f.text)
	                                                  : port_shape_text(size, p->dims);
}

static void check_sizes(void)
{
	static const struct backend_port port = {
		.name = "x", .dims = 3, .size = { -1, 5, -1 }, .symbol = { "batch" }
	};
	static const struct {
		struct binding value[2];
		const char *want, *what;
	} cases[] = {
		{ { { "batch", "2" }, { "x.2", "3" } }, "2x5x3",
		    "by symbol and by INPUT.K" },
		{ { { "x.0", "4" }, { "x.2", "3" } }, "4x5x3",
		    "by INPUT.K despite a symbol" },
		{ { { "batch", "2" }, { "x.0", "4" } },
		    "input 'x' needs a size of dimension 2", "not for other dimensions" },
		{ { { "batch", "0" }, { "x.2", "3" } }, "0x5x3", "to zero" },
		{ { { "batch", "two" }, { "x.2", "3" } },
		    "input 'x': 'two' is not a size of dimension 0", "to numbers only" },
		{ { { "batch", "2000000" }, { "x.2", "1000000" } },
		    "input 'x' has too many elements: 1e+13", "to at most 2^40 elements" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char *got = sizes_of(&port, cases[i].value, 2);

		if (!tap_ok(strcmp(got, cases[i].want) == 0, "an open dimension is set %s",
		        cases[i].what))
			printf("# got: %s\n", got);
		free(got);
	}
}

/* An archive with the deflated array a.npy, 20 bytes of 'x', and the stored b.npy, "yz";
 * made by Python's zipfile. */
static const unsigned char archive[] = {
	0x50,
	0x4b,
	0x03,
	0x04,
	0x14,
	0x00,
	0x00,
	0x00,
	0x08,
	0x00,
	0x00,
	0x00,
	0x77,
	0x5d,
	0x47,
	0x42,
	0xad,
	0x27,
	0x05,
	0x00,
	0x00,
	0x00,
	0x14,
	0x00,
	0x00,
	0x00,
	0x05,
	0x00,
	0x00,
	0x00,
	0x61,
	0x2e,
	0x6e,
	0x70,
	0x79,
	0xab,
	0xa8,
	0xc0,
	0x04,
	0x00,
	0x50,
	0x4b,
	0x03,
	0x04,
	0x14,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x77,
	0x5d,
	0x62,
	0x48,
	0xf4,
	0x0f,
	0x02,
	0x00,
	0x00,
	0x00,
	0x02,
	0x00,
	0x00,
	0x00,
	0x05,
	0x00,
	0x00,
	0x00,
	0x62,
	0x2e,
	0x6e,
	0x70,
	0x79,
	0x79,
	0x7a,
	0x50,
	0x4b,
	0x01,
	0x02,
	0x14,
	0x03,
	0x14,
	0x00,
	0x00,
	0x00,
	0x08,
	0x00,
	0x00,
	0x00,
	0x77,
	0x5d,
	0x47,
	0x42,
	0xad,
	0x27,
	0x05,
	0x00,
	0x00,
	0x00,
	0x14,
	0x00,
	0x00,
	0x00,
	0x05,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x80,
	0x01,
	0x00,
	0x00,
	0x00,
	0x00,
	0x61,
	0x2e,
	0x6e,
	0x70,
	0x79,
	0x50,
	0x4b,
	0x01,
	0x02,
	0x14,
	0x03,
	0x14,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x77,
	0x5d,
	0x62,
	0x48,
	0xf4,
	0x0f,
	0x02,
	0x00,
	0x00,
	0x00,
	0x02,
	0x00,
	0x00,
	0x00,
	0x05,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x80,
	0x01,
	0x28,
	0x00,
	0x00,
	0x00,
	0x62,
	0x2e,
	0x6e,
	0x70,
	0x79,
	0x50,
	0x4b,
	0x05,
	0x06,
	0x00,
	0x00,
	0x00,
	0x00,
	0x02,
	0x00,
	0x02,
	0x00,
	0x66,
	0x00,
	0x00,
	0x00,
	0x4d,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
};

static void check_archive(void)
{
	const struct text file = { (const char *)archive, sizeof(archive) };
	static const struct {
		const char *array, *want, *what;
	} cases[] = {
		{ "a", "xxxxxxxxxxxxxxxxxxxx",
		    "an array that is deflated is read from an archive" },
		{ "b", "yz", "an array that is stored is read from an archive" },
		{ "c", "the archive has no array 'c' (there are: a.npy, b.npy)",
		    "an array that an archive lacks is reported" },
	};
	size_t changed = 0;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf out = { 0 };
		struct fault f = { "" };
		int status = npz_read(file, cases[i].array, &out, &f);

		tap_text(status < 0 ? f.text : out.ptr, cases[i].want, cases[i].what);
		buf_free(&out);
	}
	for (size_t i = 0; i < sizeof(archive); i++)
		for (int bit = 0; bit < 8; bit++) {
			char *copy = mem_text(archive, sizeof(archive));
			struct buf out = { 0 };
			struct fault f;

			copy[i] = (char)(copy[i] ^ 1 << bit);
			changed += npz_read((struct text){ copy, sizeof(archive) }, "a",
			               &out, &f) == 0 &&
			           strcmp(out.ptr, cases[0].want) != 0;
			buf_free(&out);
			free(copy);
		}
	tap_ok(
	    changed == 0, "an archive with a flipped bit is rejected or its array is read");
}

int main(void)
{
	check_archive();
	check_headers();
	check_truncated();
	check_sizes();
	return tap_end();
}
