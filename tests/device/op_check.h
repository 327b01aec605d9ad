/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the cases of op_check, which compares a backend with ref, and their operands.
 */
#ifndef TESTS_DEVICE_OP_CHECK_H
#define TESTS_DEVICE_OP_CHECK_H

#include "base/rng.h"
#include "device/backends.h"

enum { RUNS = 4, OPERANDS = 40, STEPS = 20, SIDES = 2 };

/*
 * One operation of a case. A case is one row, or several, all but the last of which have
 *.then. An operand is text:
 *
 *	[NAME=]SIZE[xSIZE...] [WORD...]
 *	NAME                            an operand that was named before
 *
 * The words give
 *	its role: w weight, s state, a activation, out output; by default output if it is
 *	first written, and input if it is first read;
 *	its dtype: f32, i32, i8, u8; by default the tested one;
 *	its memory: pad=N has N elements between rows, off=N begins after N elements, room=N
 *	has N elements after it, of=NAME is a view of another, stride=A,B,...;
 *	its initial contents: rand (-1 to 1, the default if it is read), pos (0.5 to 1.5),
 *	time (0 to 50), hole=N (rand, with N in the middle, such as inf), distinct and ties
 *	(along the last dimension), bytes (whole numbers from -127 to 127), small (whole
 *	numbers from -80 to 80), special (whole numbers, NaN and infinities), below=N,
 *	nodes=N (of trees with N features), steps=N (multiples of N), nan (the default if it
 *	is written).
 */
struct op_row {
	const char *chain; /* the group of the case; NULL if it is that of its kind */
	bool then, int8;
	struct backend_op op;
	const char *declare[2]; /* operands of which other operands are views */
	const char *in[BACKEND_INS], *out[BACKEND_OUTS];
	int64_t past[RUNS];
	int runs; /* 0 means 1 */
};

/* These shorten the rows. */
#define OP(name) .op.kind = BACKEND_##name
#define ACT(name) .op.act = BACKEND_##name

/* The parameters in the order of struct conv; both members of a pair are equal. */
#define CONV(stride, pad, dilate, group)                                          \
	.op.kind = BACKEND_CONV, .op.p.conv = { { stride, stride }, { pad, pad }, \
		{ pad, pad }, { dilate, dilate }, group }
#define QCONV(stride, pad, dilate, group)                                                  \
	.int8 = true, .op.kind = BACKEND_QCONV,                                            \
	.op.p.conv = { { stride, stride }, { pad, pad }, { pad, pad }, { dilate, dilate }, \
		group }
#define POOL(size, step, pad, mean) \
	.op.kind = BACKEND_POOL,    \
	.op.p.pool = { { size, size }, { step, step }, { pad, pad }, { pad, pad }, mean }

/* The cases of single operations, those in int8, those of chains, and those with NaN and
 * infinities. */
extern const struct op_row op_rows[], op_int8_rows[], op_chain_rows[], op_special_rows[];
extern const size_t op_row_count, op_int8_row_count, op_chain_row_count,
    op_special_row_count;

/* An operand, and its memory on both sides. */
struct op_operand {
	char name[16];
	struct backend_tensor like; /* without a buffer */
	struct op_operand *base;    /* NULL if it has memory of its own */
	int64_t room;               /* the number of elements of its memory */
	char fill[12];
	double fill_with;
	double *first; /* the initial contents; NAN in gaps */
	bool *inside;  /* which elements are the tensor's */
	void *device[SIDES];
};

/*
 * Parses the text of an operand and adds it to the list, or finds it there by its name.
 * Ends the program if the text is invalid.
 */
struct op_operand *operand_read(struct op_operand *list, size_t *count, const char *text,
    enum backend_dtype dtype, bool written);
/* Draws the initial contents of an operand, rounded to its dtype. */
void operand_fill(struct op_operand *o, struct rng *r);
/* Frees the contents of an operand. */
void operand_free(struct op_operand *o);
/* Returns the dtype of an operand on a side: ref, the second side, uses float64 for each
 * floating-point type. */
enum backend_dtype operand_dtype(const struct op_operand *o, int side);
/* Returns the largest difference between both sides over the largest magnitude; INFINITY if
 * integers, gaps, NaNs or infinities differ. */
double operand_error(const struct op_operand *o, const double *got, const double *want);
/* Prints the first elements that differ much as TAP comments. */
void operand_tell(const struct op_operand *o, const double *got, const double *want);

#endif
