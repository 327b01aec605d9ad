/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of operators: how the shape of a result follows from the operands. This header
 * has what importers ask about a node. Pure.
 */
#ifndef ONNX_ONNX_RULES_H
#define ONNX_ONNX_RULES_H

#include "onnx/onnx_shapes.h"

/* The results of a rule. */
enum {
	RULE_WRONG = -1, /* the node contradicts its operator; the message says how */
	RULE_FINE = 0,
	RULE_UNKNOWN = 1, /* an operand is not known well enough */
	RULE_DATA = 2,    /* the shape depends on data */
};

/* A node whose results are inferred. */
struct rule_call {
	const struct onnx_node *node;
	const struct onnx_fact **in; /* NULL: absent */
	struct onnx_fact **out;      /* likewise; the type is that of in[0] */
	uint32_t ins, outs;
	double macs;                  /* stored by rules of operators that multiply */
	const struct onnx_node *lost; /* for RULE_UNKNOWN: of the operand */
	struct onnx_shapes *shapes;
	struct fault *fault;
};

/* Return an attribute, or this value if the node lacks it. */
int64_t rule_int(const struct rule_call *c, const char *name, int64_t value);
struct text rule_text(const struct rule_call *c, const char *name, const char *value);
/* Returns whether the node has an attribute. */
bool rule_has_attribute(const struct rule_call *c, const char *name);
/* Returns the integers of an attribute, and their number; NULL and 0 if it is absent. */
const int64_t *rule_ints(const struct rule_call *c, const char *name, uint32_t *count);

/* Returns the elements of operand i, or of the attribute, if that is given; stores their
 * number. Returns NULL if they are not known or not given. */
const int64_t *rule_integers(
    const struct rule_call *c, uint32_t i, const char *attribute, uint32_t *count);

/* The part of a tensor that a Slice takes: the first place, the step and the number of
 * places in each dimension. */
struct rule_part {
	int64_t from[ONNX_DIMS_MAX], step[ONNX_DIMS_MAX], size[ONNX_DIMS_MAX];
};
/* Stores the part that a Slice takes. Returns the status of the rule. */
int rule_sliced(struct rule_call *c, struct rule_part *out);
/* Marks the axes of a tensor of `rank` dimensions that a reduction removes. Returns the
 * status of the rule. */
int rule_reduced_axes(struct rule_call *c, uint32_t rank, bool reduced[ONNX_DIMS_MAX]);

/* Returns the number of labels of a classifier, 0 if it has none, and stores whether they
 * are strings. */
int64_t rule_classes(const struct rule_call *c, bool *strings);

/* The equation of an Einsum. */
/* Its letters: up to RULE_ELLIPSIS dimensions of an ellipsis, and those of the alphabet. */
enum { RULE_ELLIPSIS = 8, RULE_LETTERS = RULE_ELLIPSIS + 52, RULE_OPERANDS = 2 };
struct rule_equation {
	uint32_t letter[RULE_OPERANDS][ONNX_DIMS_MAX]; /* of each dimension */
	int64_t size[RULE_LETTERS];
	uint32_t uses[RULE_LETTERS]; /* the number of dimensions with this letter */
	bool is_out[RULE_LETTERS];
	uint32_t order[ONNX_DIMS_MAX], outs; /* the letters of the result */
};
/* Reads the equation of an Einsum. Returns the status of the rule. */
int rule_equation_read(struct rule_call *c, struct rule_equation *e);

/* A Fourier transform along an axis. */
struct rule_transform {
	uint32_t axis;
	int64_t length, bins; /* the bins of the result: half of the length if onesided */
	bool inverse, onesided, is_real; /* is_real: the result has no imaginary part */
};
/* Reads a DFT. Returns the status of the rule. */
int rule_transform_read(struct rule_call *c, struct rule_transform *t);

/* The Fourier transforms of the windows of a signal. */
struct rule_windows {
	int64_t step, length, windows, bins;
};
/* Reads an STFT. Returns the status of the rule. */
int rule_windows_read(struct rule_call *c, struct rule_windows *w);

#endif
