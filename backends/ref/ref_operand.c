/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operands that the operations of ref accept: a table of their dtypes and dimensions.
 */
#include <stdio.h>

#include "graph/dtype.h"
#include "ref_priv.h"

/*
 * One letter for each operand: f float64; s float64 or float32; i int32; b int8; a any
 * type; - none. The operand of a capital letter is optional. There are no operands after
 * the last letter.
 */
static const struct supported {
	enum backend_kind kind;
	const char *in, *out;
} signatures[] = {
	{ BACKEND_NOP, "", "" },
	{ BACKEND_COPY, "f", "f" },
	{ BACKEND_SCALE, "f", "f" },
	{ BACKEND_TRIAD, "ff", "f" },
	{ BACKEND_AXPY, "f", "f" },
	{ BACKEND_DOT, "ff", "s" },
	{ BACKEND_FMA, "f", "f" },
	{ BACKEND_GEMV, "ff", "f" },
	{ BACKEND_GEMM, "ffFF", "f" },
	{ BACKEND_GEMM, "bb", "i" },
	{ BACKEND_CONV, "ffFF", "f" },
	{ BACKEND_ATTENTION, "fffF", "f" },
	{ BACKEND_LAYERNORM, "fFF", "f" },
	{ BACKEND_RMSNORM, "fF", "f" },
	{ BACKEND_GROUPNORM, "fff", "f" },
	{ BACKEND_BATCHNORM, "fffff", "f" },
	{ BACKEND_SOFTMAX, "f", "f" },
	{ BACKEND_UNARY, "f", "f" },
	{ BACKEND_BINARY, "ff", "f" },
	{ BACKEND_ROUND, "f", "f" },
	{ BACKEND_CELL, "fff", "fF" },
	{ BACKEND_TREES, "fififi", "f" },
	{ BACKEND_GLU, "f", "f" },
	{ BACKEND_GATHER, "fI", "f" },
	{ BACKEND_POOL, "f", "f" },
	{ BACKEND_RESIZE, "f", "f" },
	{ BACKEND_MOVE, "a", "a" },
	{ BACKEND_ROPE, "f", "f" },
	{ BACKEND_RELATIVE, "f", "f" },
	{ BACKEND_SINUSOID, "s", "f" },
	{ BACKEND_SCAN, "fffffffs", "f" },
	{ BACKEND_CAUSAL_CONV, "ffF", "f" },
	{ BACKEND_ROUTE, "f", "fi" },
	{ BACKEND_EXPERTS, "ffi", "f" },
	{ BACKEND_COMBINE, "ffF", "f" },
	{ BACKEND_TOPK, "f", "Fi" },
	{ BACKEND_QGEMM, "sbSSs", "s" },
	{ BACKEND_QCONV, "sbSSs", "s" },
	{ BACKEND_QEXPERTS, "sbi-s", "s" },
};

static bool letter_matches(char letter, enum backend_dtype dtype)
{
	switch (letter | 0x20) {
	case 'f':
		return dtype == BACKEND_FLOAT64;
	case 's':
		return dtype == BACKEND_FLOAT64 || dtype == BACKEND_FLOAT32;
	case 'i':
		return dtype == BACKEND_INT32;
	case 'b':
		return dtype == BACKEND_INT8;
	case '-':
		return false;
	default:
		return true;
	}
}

/* Returns whether the operands match the letters; else why names the one that does not. */
static bool operands_match(const char *letters, struct backend_tensor *const *t, int max,
    const char *side, char *why)
{
	bool more = true;

	for (int i = 0; i < max; i++) {
		more = more && letters[i];
		if (!t[i] && more && (letters[i] == '-' || !(letters[i] & 0x20)))
			continue;
		if (!t[i] != !more) {
			snprintf(why, BACKEND_WHY, "%s%d is %s", side, i,
			    t[i] ? "not an operand here" : "missing");
			return false;
		}
		if (t[i] && !letter_matches(letters[i], t[i]->dtype)) {
			snprintf(why, BACKEND_WHY, "%s%d is %s; ref computes in float64",
			    side, i, dtype_name(t[i]->dtype));
			return false;
		}
	}
	return true;
}

int ref_supports(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	if (op->kind == BACKEND_GEMM && op->in[0] && op->in[0]->dtype == BACKEND_INT8 &&
	    (op->p.gemm.alpha != 1 || op->act != BACKEND_LINEAR)) {
		snprintf(why, BACKEND_WHY, "products of int8 have neither alpha nor act");
		return -1;
	}
	for (size_t i = 0; i < COUNT(signatures); i++)
		if (signatures[i].kind == op->kind &&
		    operands_match(signatures[i].in, op->in, BACKEND_INS, "in", why) &&
		    operands_match(signatures[i].out, op->out, BACKEND_OUTS, "out", why))
			return 0;
	return -1;
}

size_t ref_scratch(const struct backend_op *op)
{
	switch (op->kind) {
	case BACKEND_GEMM:
	case BACKEND_CONV:
		return (size_t)ref_size(op->out[0], 0);
	case BACKEND_ATTENTION:
		return (size_t)ref_size(op->in[1], 1);
	case BACKEND_QGEMM: /* of int32 */
	case BACKEND_QEXPERTS:
	case BACKEND_ROUTE:
	case BACKEND_TOPK:
		return (size_t)ref_size(op->in[0], 0);
	case BACKEND_QCONV: /* of int32: all inputs, and a row of sums */
		return (size_t)(ref_elements(op->in[0]) + ref_size(op->out[0], 0)) / 2 + 1;
	default:
		return 0;
	}
}

double ref_get(const struct backend_tensor *t, int64_t i)
{
	double x;

	dtype_load(t->dtype, &x,
	    (const char *)t->buffer + (size_t)(t->offset + i) * dtype_bytes(t->dtype), 1);
	return x;
}

void ref_put(const struct backend_tensor *t, int64_t i, double x)
{
	dtype_store(t->dtype,
	    (char *)t->buffer + (size_t)(t->offset + i) * dtype_bytes(t->dtype), &x, 1);
}
