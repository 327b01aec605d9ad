/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of convolutions with quantized weights share; see cpu_qconv.h. */
#ifndef CPU_CPU_QCONV_PRIV_H
#define CPU_CPU_QCONV_PRIV_H

#include "cpu_qconv.h"

/* A weight in panels of QTILE_ROWS channels: the `own` of the tensor, and of each
 * convolution with it. */
struct packed_conv {
	size_t users;
	int64_t groups;
	int64_t words;    /* of four weights, in 8 or 16 bits */
	int32_t *sums;    /* of its rows */
	uint32_t *panels; /* [groups][panels][depth][words][QTILE_ROWS] */
	cpu_qtile_run *run;
	bool finishes;          /* whether it can finish the sums */
	struct cpu_qrest *rest; /* of all panels, or NULL */
	int64_t *rest_begin;    /* [groups * panels + 1] */
};

/* The sizes of a convolution. */
struct conv_sizes {
	int64_t groups, channels, outs; /* channels and outs: of a group */
	int64_t quads, taps, depth;     /* quads: of the channels of a group */
	int64_t panels;                 /* of a group */
	int64_t in_pixels, pixels;
	int64_t lines, part; /* of a plane of quads; each line has a part for each column
	                      * of a stride */
	int64_t line, plane; /* the quads in them */
	int64_t vectors, strips; /* of the pixels of an image */
	int64_t parts;           /* of the panels, for different threads */
	bool direct;             /* whether the input is the matrix */
	bool in_place;           /* whether no vector has pixels of two lines */
};

/* Returns the sizes of a convolution. */
struct conv_sizes cpu_conv_sizes(
    const struct backend_session *s, const struct backend_op *op);

#endif
