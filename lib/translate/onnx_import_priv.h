/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares what the files of the import share; see onnx_import.h.
 *
 * The import goes through the nodes from the last to the first and chooses how each value
 * that is needed is computed: by the rule of its node, or by a pattern of nodes that ends
 * in it. Then it goes from the first to the last and adds the operations.
 *
 * A value of the model is a view: operators that only place elements, such as Transpose,
 * make other views of the same elements. An operation that cannot read a view gets a copy.
 */
#ifndef TRANSLATE_ONNX_IMPORT_PRIV_H
#define TRANSLATE_ONNX_IMPORT_PRIV_H

#include "base/intern.h"
#include "translate/onnx_import.h"
#include "onnx/onnx_trace.h"

/* A view of a value of the graph, or of a constant of the model. */
struct import_view {
	bool made;
	uint32_t base;     /* a value of the graph that is no view; if !is_constant */
	bool is_constant;  /* a view of a constant */
	uint32_t constant; /* a value of the trace */
	struct trace_shape shape;
	int64_t stride[TRACE_DIMS], offset;
};

enum { IMPORT_INS = 6 };

/* The values that a pattern needs, and numbers that it found. */
struct import_match {
	uint32_t in[IMPORT_INS]; /* values of the trace, or TRACE_NONE */
	double number[3];
	bool flag;
};

struct import;

/* How a rule treats whole numbers and truth values that are computed at run time. */
enum import_whole {
	IMPORT_NO_WHOLE, /* it fails */
	IMPORT_CONVERTS, /* import_input() returns them in the type of the model */
	IMPORT_KEEPS     /* import_input() returns them as they are */
};

/* How to compute the results of a node. */
struct import_rule {
	const char *op;
	/* For a pattern: returns whether it ends in the node, and stores what it found. */
	bool (*match)(
	    struct import *im, const struct trace_node *n, struct import_match *m);
	void (*add)(
	    struct import *im, const struct trace_node *n, const struct import_match *m);
	enum import_whole whole;
	bool makes_all; /* results, and not only the first one */
};

/* The choice for a node. */
struct import_plan {
	const struct import_rule *rule; /* NULL: it is not needed */
	struct import_match match;
};

/* A weight of the graph that was made from a view of a constant. */
struct import_weight {
	struct import_view view;
	uint32_t value;
};

struct import {
	struct onnx_trace t;
	struct graph *g;
	enum backend_dtype dtype;
	struct import_view *view; /* by value of the trace */
	struct import_plan *plan; /* by node of the trace */
	struct import_weight *weight;
	size_t weights, weight_cap;
	int64_t waves; /* elements of the matrices of Fourier transforms */
	struct intern names, node_names;
	const struct trace_node *now; /* the node whose operations are added */
	const char *word;             /* its operator, a literal */
	bool converts;                /* whether its rule is IMPORT_CONVERTS */
};

/* Return the rule of an operator, or of the pattern that ends in a node; or NULL. */
const struct import_rule *import_find_rule(const struct trace_node *n);
const struct import_rule *import_find_pattern(
    struct import *im, const struct trace_node *n, struct import_match *m);

/* The form of an operand. */
enum import_form {
	IMPORT_WHOLE, /* contiguous */
	IMPORT_ROWS   /* with strided rows */
};

/* Returns the view of a value of the trace. */
struct import_view import_see(struct import *im, uint32_t value);
/* Returns a view of numbers in the type of the model: of tokens and positions, which are
 * int32, a copy. */
struct import_view import_numbers(struct import *im, struct import_view v);
/* Returns the view of input i of a node. */
struct import_view import_input(struct import *im, const struct trace_node *n, uint32_t i);
/* Returns the sizes of result i of a node, which is present. */
const struct trace_shape *import_made(
    const struct import *im, const struct trace_node *n, uint32_t i);
/* Lets output i of a node be a view. */
void import_output(
    struct import *im, const struct trace_node *n, uint32_t i, struct import_view view);
/* Lets output 0 of a node be a value of the graph, with the sizes of the output. */
void import_done(struct import *im, const struct trace_node *n, uint32_t value);

/* Returns a shape. */
struct trace_shape import_shape(uint32_t dims, const int64_t *size);
#define IMPORT_SHAPE(...)                                                  \
	import_shape(sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), \
	    (const int64_t[]){ __VA_ARGS__ })
/* Returns a shape with as many dimensions as the backends have: the first ones are joined;
 * no dimensions become one. */
struct trace_shape import_shortened(struct trace_shape s);
/* Returns the number of elements. */
int64_t import_count(const struct trace_shape *s);
/* Returns a view of a whole value with other sizes. */
struct import_view import_whole(
    struct import *im, uint32_t value, struct trace_shape shape);
/* Changes the sizes of a view, with the same elements in the same order. Returns false if
 * that needs a copy. */
bool import_reshape(struct import_view *v, struct trace_shape shape);
/* Returns the same elements in this order of dimensions. */
struct import_view import_permute(struct import_view v, const uint32_t *from);
/* Undoes a repetition: gives dimensions whose elements are equal the size 1. */
struct import_view import_unrepeated(struct import_view v);
/* Returns a view that repeats elements to fit larger sizes, with strides of 0. */
struct import_view import_broadcast(struct import_view v, struct trace_shape shape);
/* Does as import_reshape, with a copy if it is needed. */
struct import_view import_reshaped(
    struct import *im, struct import_view v, struct trace_shape shape);
/* Returns whether a view is contiguous. */
bool import_contiguous(const struct import_view *v);
/* Returns whether a view has contiguous rows in order, which do not overlap. */
bool import_in_rows(const struct import_view *v);
/* Stores the order of dimensions in which a view is contiguous, if there is one: the last
 * `fixed` dimensions remain at the end. Returns whether there is. */
bool import_memory_order(const struct import_view *v, uint32_t fixed, uint32_t *order);

/* Returns a value of the graph with the elements of a view in these sizes, at most
 * BACKEND_DIMS: a view, a weight or a copy. */
uint32_t import_operand(struct import *im, struct import_view v, struct trace_shape shape,
    enum import_form form);
/* Returns a constant or weight of one dimension. */
uint32_t import_vector(struct import *im, uint32_t value, int64_t size);
/* Returns a weight with one element, or `count` equal ones. */
uint32_t import_number(struct import *im, double number, int64_t count);
/* A view as a value, in the order of memory. */
struct import_rows {
	uint32_t value;
	struct trace_shape shape; /* the view's sizes in this order */
	uint32_t order[TRACE_DIMS];
	uint32_t fixed;
};
/* Returns a view as a value, whose last dimension has the elements of the view's last
 * `fixed` dimensions; 0: any dimensions. The others may be in another order. */
struct import_rows import_as_rows(struct import *im, struct import_view v, uint32_t fixed);
/* Returns the view with these sizes of a value whose rows are in the order of another one.
 */
struct import_view import_rows_view(struct import *im, const struct import_rows *rows,
    struct trace_shape shape, uint32_t value);
/* Lets output 0 of a node be a value whose rows are in the order of another one. */
void import_done_rows(struct import *im, const struct trace_node *n,
    const struct import_rows *rows, uint32_t value);
/* Return a weight with these elements, which the graph frees. */
uint32_t import_constant(struct import *im, double *elements, struct trace_shape shape);
uint32_t import_floats(struct import *im, float *elements, struct trace_shape shape);
uint32_t import_integers(struct import *im, int32_t *elements, struct trace_shape shape);
/* Copies a view to a value with these sizes of the same type. */
void import_move(struct import *im, struct import_view from, struct import_view to);

/* Adds a value with the name of the present node. Returns its number. */
uint32_t import_new(struct import *im, struct trace_shape shape);
/* Adds a value with the sizes of another one. */
uint32_t import_like(struct import *im, uint32_t value);
/* Adds an operation. Absent operands are GRAPH_NONE. The pointer is valid until the next
 * one is added. */
struct backend_op *import_node(struct import *im, enum backend_kind kind, uint32_t out,
    uint32_t a, uint32_t b, uint32_t c, uint32_t d);
/* Adds out = act(alpha x). Returns out. */
uint32_t import_unary(struct import *im, uint32_t x, double alpha, enum backend_act act);
/* Adds out = act(x + alpha y), or act(x alpha y). Returns out. */
uint32_t import_binary(struct import *im, uint32_t x, uint32_t y, double alpha,
    int64_t inner, bool multiply, enum backend_act act);
/* Adds out = act(x + alpha number). Returns out. */
uint32_t import_plus(
    struct import *im, uint32_t x, double alpha, double number, enum backend_act act);
/* Returns an input that has all elements of the output, with the dimensions of the output:
 * a number next to it may have more. */
struct import_rows import_full(struct import *im, const struct trace_node *n, uint32_t i);
/* Fails if an operator before version 7 aligns its operands at an axis. */
void import_check_axis(struct import *im, const struct trace_node *n);
/* Applies the activation that an attribute of a fused operator names. Returns the result.
 */
uint32_t import_activated(struct import *im, const struct trace_node *n, uint32_t x);
/* Adds out = x to a power. Returns out. */
uint32_t import_power(
    struct import *im, const struct trace_node *n, uint32_t x, double power);
/* Adds out = |x|. Returns out. */
uint32_t import_absolute(struct import *im, uint32_t x);
/* Adds out = alpha clamp(round(x / scale), low, high) + beta. Returns out. */
struct import_rounding {
	double scale, low, high, alpha, beta;
};
uint32_t import_rounded(
    struct import *im, uint32_t x, const struct import_rounding *rounding);
/*
 * Truth values are 0 and 1 in the type of the model. A difference above half of this makes
 * two numbers unequal: the smallest numbers of float32 may be lost in a division.
 */
#define IMPORT_LEAST 0x1p-120
/* Adds the largest whole number that is not above x. Returns it. */
uint32_t import_floor(struct import *im, uint32_t x);
/* Returns x limited to low .. high; NAN: no limit. */
uint32_t import_clamped(struct import *im, uint32_t x, double low, double high);
/* Returns a view of the whole parts of numbers, toward 0. */
struct import_view import_truncated(struct import *im, struct import_view v);
/* Returns a view with 1 where a view is NaN, and 0 elsewhere. */
struct import_view import_nans(struct import *im, struct import_view v);
/* Let output 0 be a quotient of whole numbers, toward 0; the largest or smallest of the
 * inputs; or an input between computed limits. */
void import_div_whole(struct import *im, const struct trace_node *n);
void import_extremes(struct import *im, const struct trace_node *n);
void import_clip_computed(struct import *im, const struct trace_node *n);
/* The inputs and parameters of attention: softmax(scale q k' + mask) v for each head. */
struct import_heads {
	struct import_view q;    /* [batch,heads,queries,width] */
	struct import_view k, v; /* [batch,kv_heads,keys,width] */
	double scale;            /* 0: 1 / sqrt(width) */
	double cap;              /* c tanh(x / c) limits the scores; 0: no limit */
	/* Query i follows `past` keys, hides keys after past + i if `causal` is true, and
	 * uses the last `window` keys up to it; 0: all. */
	bool causal;
	int64_t past, window;
	/* A term that is added to the scores, of their sizes or 1; !made: none. */
	struct import_view mask;
};
/* Adds attention. Returns its result [batch,heads,queries,width]. */
struct import_view import_attend(
    struct import *im, const struct trace_node *n, const struct import_heads *h);
/* Returns a view [batch,tokens,heads width], or [batch,heads,tokens,width], in the latter
 * form. */
struct import_view import_heads_view(
    struct import *im, const struct trace_node *n, struct import_view v, int64_t heads);
/* Returns the mask that is input i of an operator of attention. Truth values must be
 * constants: where one is false, the result is `hidden`. */
struct import_view import_attention_mask(
    struct import *im, const struct trace_node *n, uint32_t i, double hidden);
/* Returns the first `past` tokens of a cache [batch,heads,tokens,width] and the present
 * ones after them; a cache that is not made is empty. */
struct import_view import_cached(struct import *im, const struct trace_node *n,
    struct import_view cache, int64_t past, struct import_view present);
/* How the pairs of elements of a head are rotated. */
struct import_rotation {
	uint32_t cos, sin; /* values of the trace [positions,pairs] */
	const int64_t
	    *position;    /* [batches,tokens]; NULL: the tables have a row for each */
	int64_t batches;  /* 1, or all: if the positions differ between batches */
	bool interleaved; /* pairs of neighbors, and not of the two halves */
};
/* Rotates a view [batch,heads,tokens,width]. Returns the view of the result. */
struct import_view import_rotated(struct import *im, const struct trace_node *n,
    struct import_view x, const struct import_rotation *by);
/* Returns the constant positions of input i of a node, [batch,tokens] or the first of
 * `tokens` ones, as a list, which the caller frees, and stores how many batches it has; or
 * fails and returns NULL. */
int64_t *import_positions(struct import *im, const struct trace_node *n, uint32_t i,
    int64_t tokens, int64_t *batches);
/* Returns a view whose elements are multiplied by a number. */
struct import_view import_scaled(struct import *im, struct import_view v, double factor);
/* Adds a + alpha b, or a alpha b, with these sizes, or with those of the output; `a` need
 * not have all elements. Returns the view of the result. */
struct import_view import_combined_as(struct import *im, struct trace_shape made,
    struct import_view a, struct import_view b, double alpha, bool multiply);
struct import_view import_combined(struct import *im, const struct trace_node *n,
    struct import_view a, struct import_view b, double alpha, bool multiply);
/* Multiplies a by a factor, like import_combined, but to 0 where the factor is 0, even if a
 * is infinite or NaN there. */
struct import_view import_selected(struct import *im, const struct trace_node *n,
    struct import_view a, struct import_view factor);
/* Returns a view of a new value whose elements are this number. */
struct import_view import_filled(struct import *im, struct trace_shape shape, double value);
/* Returns a copy of a view with this number of elements of a value around it. */
struct import_view import_padded(struct import *im, struct import_view v,
    const int64_t *before, const int64_t *after, double value);
/* Returns an image [N,C,W] or [N,C,H,W] as [N,C,H,W]. */
struct trace_shape import_image_shape(struct trace_shape s);
/* Sets where the windows of a convolution are, and its groups. */
void import_conv_places(
    struct import *im, const struct trace_node *n, struct backend_op *op);
void import_set_windows(
    const struct trace_node *n, const struct trace_window *w, struct backend_op *op);
/* Adds pooling of an image [N,C,H,W], whose kind is that of the node. Returns the result.
 */
uint32_t import_pooled(struct import *im, const struct trace_node *n, struct import_view v,
    struct trace_shape made, struct trace_window *w);
/* Returns an axis of a node as a number from 0. */
uint32_t import_axis(const struct trace_node *n, int64_t otherwise, uint32_t dims);
/* Returns a list for positions of a dimension, which the caller frees, or NULL and fails if
 * it would be too long. */
int64_t *import_places_new(struct import *im, const struct trace_node *n, int64_t count);
/* Returns the view with these places of a dimension, in which they are: a view of the same
 * elements if they are in equal steps, or a copy. */
struct import_view import_places(struct import *im, const struct trace_node *n,
    struct import_view v, uint32_t axis, const int64_t *place, int64_t count);
/* Returns the rows of a table [rows,width] that computed positions select, which are not
 * negative, as [positions,width]. */
struct import_view import_selected_rows(struct import *im, const struct trace_node *n,
    struct import_view table, struct import_view row);
/* Adds to each row of positions [batch,...] the number of rows before its batch. */
struct import_view import_batched_rows(
    struct import *im, struct import_view row, int64_t batch, int64_t rows);
/* Lets the output of a Gather or GatherND be elements at computed positions. */
void import_gather_computed(struct import *im, const struct trace_node *n);
void import_gather_nd_computed(struct import *im, const struct trace_node *n);
/* Exchanges the last two dimensions of a view. */
struct import_view import_turned(struct import_view v);
/* Returns a free name for a value. */
char *import_name(struct import *im, struct text name);

/* The rules. */
#define IMPORT_PARAMS \
	struct import *im, const struct trace_node *n, const struct import_match *m
void import_reshaping(IMPORT_PARAMS);
void import_transpose(IMPORT_PARAMS);
void import_slice(IMPORT_PARAMS);
void import_split(IMPORT_PARAMS);
void import_expand(IMPORT_PARAMS);
void import_tile(IMPORT_PARAMS);
void import_depth_to_space(IMPORT_PARAMS);
void import_space_to_depth(IMPORT_PARAMS);
void import_where(IMPORT_PARAMS);
void import_logic(IMPORT_PARAMS);
void import_not(IMPORT_PARAMS);
void import_cast(IMPORT_PARAMS);
void import_gather(IMPORT_PARAMS);
void import_gather_nd(IMPORT_PARAMS);
void import_gather_elements(IMPORT_PARAMS);
void import_scatter_nd(IMPORT_PARAMS);
void import_concat(IMPORT_PARAMS);
void import_pad(IMPORT_PARAMS);
void import_conv(IMPORT_PARAMS);
void import_conv_deep(IMPORT_PARAMS);
void import_pool_deep(IMPORT_PARAMS);
void import_embed_norm(IMPORT_PARAMS);
void import_trilu(IMPORT_PARAMS);
void import_lrn(IMPORT_PARAMS);
void import_scatter_elements(IMPORT_PARAMS);
void import_arc(IMPORT_PARAMS);
void import_area(IMPORT_PARAMS);
void import_hyperbolic(IMPORT_PARAMS);
void import_threshold(IMPORT_PARAMS);
void import_mean(IMPORT_PARAMS);
void import_conv_transpose(IMPORT_PARAMS);
void import_recurrent(IMPORT_PARAMS);
void import_batch_norm(IMPORT_PARAMS);
void import_group_norm(IMPORT_PARAMS);
void import_pool(IMPORT_PARAMS);
void import_reduce(IMPORT_PARAMS);
void import_resize(IMPORT_PARAMS);
void import_matmul(IMPORT_PARAMS);
void import_cumsum(IMPORT_PARAMS);
void import_dft(IMPORT_PARAMS);
void import_stft(IMPORT_PARAMS);
void import_einsum(IMPORT_PARAMS);
void import_gemm(IMPORT_PARAMS);
void import_softmax(IMPORT_PARAMS);
void import_lp_norm(IMPORT_PARAMS);
void import_log_sum_exp(IMPORT_PARAMS);
void import_top(IMPORT_PARAMS);
void import_layer_norm(IMPORT_PARAMS);
void import_rms_norm(IMPORT_PARAMS);
void import_attention(IMPORT_PARAMS);
void import_multi_head(IMPORT_PARAMS);
void import_group_query(IMPORT_PARAMS);
void import_rotary(IMPORT_PARAMS);
void import_matmul_bits(IMPORT_PARAMS);
void import_swish(IMPORT_PARAMS);
void import_act(IMPORT_PARAMS);
void import_leaky(IMPORT_PARAMS);
void import_prelu(IMPORT_PARAMS);
void import_elu(IMPORT_PARAMS);
void import_mish(IMPORT_PARAMS);
void import_softsign(IMPORT_PARAMS);
void import_clip(IMPORT_PARAMS);
void import_hard(IMPORT_PARAMS);
void import_pair(IMPORT_PARAMS);
void import_sum(IMPORT_PARAMS);
void import_div(IMPORT_PARAMS);
void import_pow(IMPORT_PARAMS);
void import_extreme(IMPORT_PARAMS);
void import_negate(IMPORT_PARAMS);
void import_round(IMPORT_PARAMS);
void import_mod(IMPORT_PARAMS);
void import_one_hot(IMPORT_PARAMS);
void import_grid_sample(IMPORT_PARAMS);
void import_quantize(IMPORT_PARAMS);
void import_dequantize(IMPORT_PARAMS);
void import_dequantize_blocks(IMPORT_PARAMS);
void import_select_features(IMPORT_PARAMS);
void import_binarizer(IMPORT_PARAMS);
void import_imputer(IMPORT_PARAMS);
void import_is_nan(IMPORT_PARAMS);
void import_product_of(IMPORT_PARAMS);
void import_linear_classifier(IMPORT_PARAMS);
void import_linear_regressor(IMPORT_PARAMS);
void import_normalizer(IMPORT_PARAMS);
void import_scaler(IMPORT_PARAMS);
void import_tree_classifier(IMPORT_PARAMS);
void import_tree_regressor(IMPORT_PARAMS);
void import_label_encoder(IMPORT_PARAMS);
void import_one_hot_encoder(IMPORT_PARAMS);
void import_distances(IMPORT_PARAMS);
void import_vector_classifier(IMPORT_PARAMS);
void import_vector_regressor(IMPORT_PARAMS);
/* The patterns. */
void import_matched_act(IMPORT_PARAMS);
void import_matched_norm(IMPORT_PARAMS);
void import_matched_linear(IMPORT_PARAMS);
void import_matched_softmax(IMPORT_PARAMS);
void import_matched_attention(IMPORT_PARAMS);
void import_matched_quantized(IMPORT_PARAMS);
void import_matched_dynamic(IMPORT_PARAMS);
/* Returns the value that is multiplied by constant numbers to make another one, and
 * multiplies *factor by them. */
uint32_t import_unscaled(struct onnx_trace *t, uint32_t value, double *factor);
#define IMPORT_MATCH struct import *im, const struct trace_node *n, struct import_match *m
bool import_match_gelu(IMPORT_MATCH);
bool import_match_silu(IMPORT_MATCH);
bool import_match_norm(IMPORT_MATCH);
bool import_match_rms(IMPORT_MATCH);
bool import_match_linear(IMPORT_MATCH);
bool import_match_softmax(IMPORT_MATCH);
bool import_match_attention(IMPORT_MATCH);
bool import_match_quantized(IMPORT_MATCH);
bool import_match_dynamic(IMPORT_MATCH);

#endif
