/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares what the files of the driver of cuda and hip share; see cudahip.h.
 */
#ifndef GPU_CUDAHIP_PRIV_H
#define GPU_CUDAHIP_PRIV_H

#include "cudahip.h"

/* The `device` of struct gpu. */
struct cudahip {
	const struct cudahip_family *family;
	struct cudahip_api api;
	char architecture[64];
	int device;
	void *context, *stream, *blas;
	uint64_t context_bytes; /* that the context took; 0 if unknown */
	void *workspace;        /* of blas; NULL if the library allocates its own */
};

/* Returns the device of a session, whose context it makes current in this thread. */
struct cudahip *cudahip_enter(struct gpu *g);

#endif
