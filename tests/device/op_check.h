/*
 * Shared by the files of op_check, which holds a backend against ref: the table of cases,
 * and their operands.
 */
#ifndef OP_CHECK_H
#define OP_CHECK_H

#include "device/backends.h"
#include "base/rng.h"

enum { RUNS = 4, OPERANDS = 32, STEPS = 10, SIDES = 2 };

/*
 * One operation of a case, which is one row, or several: all but the last with .then. An
 * operand is text:
 *
 *	[NAME=]SIZE[xSIZE...] [WORD...]
 *	NAME                            one that was named before
 *
 * Words say its role: w weight, s state, a activation, out output (else what is first
 * written is an output, what is first read an input); its dtype: f32, i32, i8, u8 (else
 * that under test); its place: pad=N rows apart by N more than they need, off=N begins
 * behind N elements, room=N has N behind it, of=NAME a view of another, stride=A,B,...; and
 * what is in it before: rand (-1 to 1, what is read has it), pos (0.5 to 1.5), time (0 to
 * 50), distinct and ties (along the last dimension), below=N, nan (what is written has it).
 */
struct row {
	const char *chain; /* the group of the case; NULL: that of its kind */
	bool then, int8;
	struct backend_op op;
	const char *declare[2]; /* operands that others of the case are views of */
	const char *in[BACKEND_INS], *out[BACKEND_OUTS];
	int64_t past[RUNS];
	int runs; /* 0 is 1 */
};

extern const struct row rows[];
extern const size_t row_count;

struct operand {
	char name[16];
	struct backend_tensor like; /* without a buffer */
	struct operand *base;       /* NULL: it has memory of its own */
	int64_t room;               /* elements of its memory */
	char fill[12];
	double fill_with;
	double *first; /* what is in the memory before; NAN in gaps */
	bool *inside;  /* which of it is the tensor's */
	void *device[SIDES];
};

/*
 * Read an operand's text into the list, or find it there by its name. Ends the program when
 * the text makes no sense.
 */
struct operand *operand_read(struct operand *list, size_t *count, const char *text,
    enum backend_dtype dtype, bool written);
/* Draw what is in its memory, as its dtype has it. */
void operand_fill(struct operand *o, struct rng *r);
void operand_free(struct operand *o);
/* Its dtype on a side: ref, the second, has float64 for every float. */
enum backend_dtype operand_dtype(const struct operand *o, int side);
/* Both sides' contents: the largest difference over the largest size; INFINITY where what
 * must be the same is not: integers, gaps, and what is no number. */
double operand_error(const struct operand *o, const double *got, const double *want);
/* Print, as comments of TAP, the first places that differ much. */
void operand_tell(const struct operand *o, const double *got, const double *want);

#endif
