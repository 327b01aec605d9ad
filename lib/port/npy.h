/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the header of an array in NumPy's format, versions 1 to 3 (numpy.lib.format). Pure.
 */
#ifndef PORT_NPY_H
#define PORT_NPY_H

#include "base/base.h"

enum { NPY_DIMS = 32 };

/* An array. */
struct npy {
	char type[16]; /* such as "float32"; bfloat16 has none */
	uint32_t dims;
	int64_t size[NPY_DIMS];
	struct text elements; /* the bytes after the header */
};

/* Returns whether a file begins like one of NumPy's. */
bool npy_is(struct text file);
/* Reads the header. Returns 0, or -1 and the message if it is malformed, or its elements
 * are neither little-endian numbers nor bools in row-major order. */
int npy_read(struct text file, struct npy *out, struct fault *f);

#endif
