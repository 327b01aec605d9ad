/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of the rules of operators, and what the rules share; see onnx_rules.h. Pure.
 */
#ifndef ONNX_ONNX_RULES_PRIV_H
#define ONNX_ONNX_RULES_PRIV_H

#include "onnx/onnx_rules.h"

/* More elements than this are refused, so that products of sizes do not overflow. */
#define ONNX_ELEMENTS_MAX 0x1p52

/* The largest step of a slice. */
#define ONNX_STEP_MAX INT32_MAX

struct onnx_rule {
	const char *op;
	int (*infer)(struct rule_call *c);
	/* The type of the first result; 0: the type of the first operand. */
	enum onnx_type type;
	bool multiplies; /* the MACs are unknown if the shapes are */
};

/* Returns the rule of an operator, or NULL. */
const struct onnx_rule *onnx_rule_of(const struct onnx_node *n);

/* Sets the message, and returns RULE_WRONG. */
int rule_wrong(struct rule_call *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Returns an operand if its shape is known. Otherwise returns NULL, and rule_missing() is
 * the result of the rule. */
const struct onnx_fact *rule_in(struct rule_call *c, uint32_t i);
int rule_missing(struct rule_call *c);
/* Returns whether the operand is given. */
bool rule_has(const struct rule_call *c, uint32_t i);
/* Sets the shape of a result, with dims that the arena keeps. Does nothing for absent
 * results. Returns RULE_FINE, or RULE_WRONG if a size is negative or there are too many
 * elements. */
int rule_out(struct rule_call *c, uint32_t i, const int64_t *dim, uint32_t dims);
/* Sets the shape of a result to that of an operand. */
int rule_out_same(struct rule_call *c, uint32_t i, const struct onnx_fact *v);

/* Makes a dimension index of -rank ... rank - 1 non-negative. Returns false if it is out
 * of range. */
bool rule_axis(struct rule_call *c, int64_t axis, uint32_t rank, uint32_t *out);
/* Broadcasts shapes as numpy does. Returns false and the message if they do not fit. */
bool rule_broadcast(struct rule_call *c, int64_t *dim, uint32_t *dims, const int64_t *other,
    uint32_t other_dims);
/* Returns whether the sizes and their product are from 0 to ONNX_ELEMENTS_MAX. */
bool rule_fits(const int64_t *dim, uint32_t dims);
/* Returns the product of sizes. */
double rule_product(const int64_t *dim, uint32_t dims);

/* A window that moves over the planes of a tensor: of a convolution or of pooling. The
 * lists are NULL if the node does not have them. */
struct rule_window {
	uint32_t planes; /* dimensions after the batch and the channels */
	int64_t kernel[ONNX_DIMS_MAX];
	const int64_t *stride, *dilation, *pads, *output_padding, *output_shape;
	bool is_same, is_lower, is_ceil;
};
/* Reads the attributes of a window. kernel: its sizes; NULL: they are in an attribute.
 * Returns false and the message if they are wrong. */
bool rule_window_read(
    struct rule_call *c, struct rule_window *w, uint32_t planes, const int64_t *kernel);

/* Rules, by file. */
int rule_same(struct rule_call *c);
int rule_broadcasted(struct rule_call *c);
int rule_where(struct rule_call *c);
int rule_reduce(struct rule_call *c);
int rule_arg(struct rule_call *c);
int rule_cast(struct rule_call *c);
int rule_normalize(struct rule_call *c);
int rule_quantize(struct rule_call *c);
int rule_dequantize(struct rule_call *c);
int rule_top_k(struct rule_call *c);
int rule_data(struct rule_call *c);

int rule_constant(struct rule_call *c);
int rule_shape(struct rule_call *c);
int rule_size(struct rule_call *c);
int rule_filled(struct rule_call *c);
int rule_range(struct rule_call *c);
int rule_one_hot(struct rule_call *c);
int rule_encode_label(struct rule_call *c);
int rule_encode_one_hot(struct rule_call *c);
int rule_distances(struct rule_call *c);
int rule_classify(struct rule_call *c);
int rule_classify_pairs(struct rule_call *c);
int rule_predict(struct rule_call *c);
int rule_select_features(struct rule_call *c);
int rule_non_zero(struct rule_call *c);
int rule_embed(struct rule_call *c);

int rule_reshape(struct rule_call *c);
int rule_flatten(struct rule_call *c);
int rule_squeeze(struct rule_call *c);
int rule_unsqueeze(struct rule_call *c);
int rule_transpose(struct rule_call *c);
int rule_concat(struct rule_call *c);
int rule_split(struct rule_call *c);
int rule_slice(struct rule_call *c);
int rule_gather(struct rule_call *c);
int rule_gather_elements(struct rule_call *c);
int rule_gather_nd(struct rule_call *c);
int rule_expand(struct rule_call *c);
int rule_tile(struct rule_call *c);
int rule_pad(struct rule_call *c);
int rule_resize(struct rule_call *c);
int rule_depth_to_space(struct rule_call *c);
int rule_space_to_depth(struct rule_call *c);

int rule_matmul(struct rule_call *c);
int rule_gemm(struct rule_call *c);
int rule_conv(struct rule_call *c);
int rule_conv_transpose(struct rule_call *c);
int rule_pool(struct rule_call *c);
int rule_global_pool(struct rule_call *c);
int rule_grid_sample(struct rule_call *c);
int rule_recurrent(struct rule_call *c);
int rule_attention(struct rule_call *c);
int rule_multi_head_attention(struct rule_call *c);
int rule_group_query(struct rule_call *c);
int rule_matmul_bits(struct rule_call *c);
int rule_einsum(struct rule_call *c);

int rule_dft(struct rule_call *c);
int rule_stft(struct rule_call *c);

/* Returns whether a Scan has one state, which does not change, and its body subtracts a
 * scanned row from it and applies these operators, from the last one to a NULL: a reduction
 * of the columns first. */
bool onnx_scan_is(const struct onnx_node *n, const char *const *op);
/* Returns the nodes that replace a node of a fused operator, such as QLinearConv, or the
 * node itself. Stores their number. */
const struct onnx_node *onnx_expand(
    struct arena *arena, const struct onnx_node *n, uint32_t *count);
/* Returns the largest number of such nodes; 0: the node is not replaced. */
uint32_t onnx_expansion_max(const struct onnx_node *n);

/* Computes the elements of the results whose shapes are known, if those of the operands are
 * known and the operator can be folded. */
void onnx_fold(struct rule_call *c);
/* Makes a value of integers a constant of equal ones, unless it has too many elements. */
void onnx_fold_equal(struct onnx_shapes *s, struct onnx_fact *v, int64_t number);

#endif
