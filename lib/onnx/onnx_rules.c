/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of the operators whose shapes are inferred, and what their rules share; see
 * onnx_rules_priv.h. The rules follow https://onnx.ai/onnx/operators, for all versions of
 * an operator: what was an attribute and became an input is looked for in both places.
 */
#include <stdlib.h>

#include "onnx/onnx_rules_priv.h"

/* Sorted by name. Those of the domains com.microsoft and ai.onnx.ml have the same rules if
 * their names are the same. */
static const struct onnx_rule rules[] = {
	{ "Abs", rule_same, 0, false },
	{ "Acos", rule_same, 0, false },
	{ "Acosh", rule_same, 0, false },
	{ "Add", rule_broadcasted, 0, false },
	{ "And", rule_broadcasted, 0, false },
	{ "ArgMax", rule_arg, ONNX_INT64, false },
	{ "ArgMin", rule_arg, ONNX_INT64, false },
	{ "ArrayFeatureExtractor", rule_select_features, 0, false },
	{ "Asin", rule_same, 0, false },
	{ "Asinh", rule_same, 0, false },
	{ "Atan", rule_same, 0, false },
	{ "Atanh", rule_same, 0, false },
	{ "Attention", rule_attention, 0, true },
	{ "AveragePool", rule_pool, 0, false },
	{ "BatchNormalization", rule_normalize, 0, false },
	{ "Bernoulli", rule_cast, 0, false },
	{ "BiasGelu", rule_same, 0, false },
	{ "Binarizer", rule_same, 0, false },
	{ "BitShift", rule_broadcasted, 0, false },
	{ "BitwiseAnd", rule_broadcasted, 0, false },
	{ "BitwiseNot", rule_same, 0, false },
	{ "BitwiseOr", rule_broadcasted, 0, false },
	{ "BitwiseXor", rule_broadcasted, 0, false },
	{ "Cast", rule_cast, 0, false },
	{ "CastLike", rule_cast, 0, false },
	{ "Ceil", rule_same, 0, false },
	{ "Celu", rule_same, 0, false },
	{ "Clip", rule_same, 0, false },
	{ "Compress", rule_data, 0, false },
	{ "Concat", rule_concat, 0, false },
	{ "ConcatFromSequence", rule_data, 0, false },
	{ "Constant", rule_constant, 0, false },
	{ "ConstantOfShape", rule_filled, ONNX_FLOAT, false },
	{ "Conv", rule_conv, 0, true },
	{ "ConvInteger", rule_conv, ONNX_INT32, true },
	{ "ConvTranspose", rule_conv_transpose, 0, true },
	{ "Cos", rule_same, 0, false },
	{ "Cosh", rule_same, 0, false },
	{ "CumSum", rule_same, 0, false },
	{ "DFT", rule_dft, 0, false },
	{ "DepthToSpace", rule_depth_to_space, 0, false },
	{ "DequantizeBlocks", rule_dequantize, ONNX_FLOAT, false },
	{ "DequantizeLinear", rule_dequantize, ONNX_FLOAT, false },
	{ "Det", rule_data, 0, false },
	{ "Distances", rule_distances, 0, true },
	{ "Div", rule_broadcasted, 0, false },
	{ "Dropout", rule_normalize, 0, false },
	{ "DynamicQuantizeLinear", rule_quantize, ONNX_UINT8, false },
	{ "Einsum", rule_einsum, 0, true },
	{ "Elu", rule_same, 0, false },
	{ "EmbedLayerNormalization", rule_embed, ONNX_FLOAT, false },
	{ "Equal", rule_broadcasted, ONNX_BOOL, false },
	{ "Erf", rule_same, 0, false },
	{ "Exp", rule_same, 0, false },
	{ "Expand", rule_expand, 0, false },
	{ "EyeLike", rule_cast, 0, false },
	{ "FastGelu", rule_same, 0, false },
	{ "Flatten", rule_flatten, 0, false },
	{ "Floor", rule_same, 0, false },
	{ "FusedConv", rule_conv, 0, true },
	{ "FusedGemm", rule_gemm, 0, true },
	{ "FusedMatMul", rule_matmul, 0, true },
	{ "GRU", rule_recurrent, 0, true },
	{ "Gather", rule_gather, 0, false },
	{ "GatherElements", rule_gather_elements, 0, false },
	{ "GatherND", rule_gather_nd, 0, false },
	{ "Gelu", rule_same, 0, false },
	{ "Gemm", rule_gemm, 0, true },
	{ "GlobalAveragePool", rule_global_pool, 0, false },
	{ "GlobalLpPool", rule_global_pool, 0, false },
	{ "GlobalMaxPool", rule_global_pool, 0, false },
	{ "Greater", rule_broadcasted, ONNX_BOOL, false },
	{ "GreaterOrEqual", rule_broadcasted, ONNX_BOOL, false },
	{ "GridSample", rule_grid_sample, 0, false },
	{ "GroupNormalization", rule_same, 0, false },
	{ "GroupQueryAttention", rule_group_query, 0, true },
	{ "HardSigmoid", rule_same, 0, false },
	{ "HardSwish", rule_same, 0, false },
	{ "Hardmax", rule_same, 0, false },
	{ "Identity", rule_same, 0, false },
	{ "Imputer", rule_same, 0, false },
	{ "InstanceNormalization", rule_same, 0, false },
	{ "IsInf", rule_same, ONNX_BOOL, false },
	{ "IsNaN", rule_same, ONNX_BOOL, false },
	{ "LRN", rule_same, 0, false },
	{ "LSTM", rule_recurrent, 0, true },
	{ "LabelEncoder", rule_encode_label, 0, false },
	{ "LayerNormalization", rule_normalize, 0, false },
	{ "LeakyRelu", rule_same, 0, false },
	{ "Less", rule_broadcasted, ONNX_BOOL, false },
	{ "LessOrEqual", rule_broadcasted, ONNX_BOOL, false },
	{ "LinearClassifier", rule_classify, ONNX_INT64, false },
	{ "LinearRegressor", rule_predict, ONNX_FLOAT, false },
	{ "Log", rule_same, 0, false },
	{ "LogSoftmax", rule_same, 0, false },
	{ "LpNormalization", rule_same, 0, false },
	{ "LpPool", rule_pool, 0, false },
	{ "MatMul", rule_matmul, 0, true },
	{ "MatMulInteger", rule_matmul, ONNX_INT32, true },
	{ "MatMulNBits", rule_matmul_bits, 0, true },
	{ "Max", rule_broadcasted, 0, false },
	{ "MaxPool", rule_pool, 0, false },
	{ "Mean", rule_broadcasted, 0, false },
	{ "MeanVarianceNormalization", rule_same, 0, false },
	{ "Min", rule_broadcasted, 0, false },
	{ "Mish", rule_same, 0, false },
	{ "Mod", rule_broadcasted, 0, false },
	{ "Mul", rule_broadcasted, 0, false },
	{ "MultiHeadAttention", rule_multi_head_attention, 0, true },
	{ "Neg", rule_same, 0, false },
	{ "NonMaxSuppression", rule_data, ONNX_INT64, false },
	{ "NonZero", rule_non_zero, ONNX_INT64, false },
	{ "Normalizer", rule_same, ONNX_FLOAT, false },
	{ "Not", rule_same, 0, false },
	{ "OneHot", rule_one_hot, 0, false },
	{ "OneHotEncoder", rule_encode_one_hot, ONNX_FLOAT, false },
	{ "Optional", rule_data, 0, false },
	{ "OptionalGetElement", rule_data, 0, false },
	{ "OptionalHasElement", rule_data, 0, false },
	{ "Or", rule_broadcasted, ONNX_BOOL, false },
	{ "PRelu", rule_same, 0, false },
	{ "Pad", rule_pad, 0, false },
	{ "Pow", rule_broadcasted, 0, false },
	{ "QuantizeLinear", rule_quantize, ONNX_UINT8, false },
	{ "QuickGelu", rule_same, 0, false },
	{ "RMSNormalization", rule_same, 0, false },
	{ "RNN", rule_recurrent, 0, true },
	{ "RandomNormalLike", rule_cast, 0, false },
	{ "RandomUniformLike", rule_cast, 0, false },
	{ "Range", rule_range, 0, false },
	{ "Reciprocal", rule_same, 0, false },
	{ "ReduceL1", rule_reduce, 0, false },
	{ "ReduceL2", rule_reduce, 0, false },
	{ "ReduceLogSum", rule_reduce, 0, false },
	{ "ReduceLogSumExp", rule_reduce, 0, false },
	{ "ReduceMax", rule_reduce, 0, false },
	{ "ReduceMean", rule_reduce, 0, false },
	{ "ReduceMin", rule_reduce, 0, false },
	{ "ReduceProd", rule_reduce, 0, false },
	{ "ReduceSum", rule_reduce, 0, false },
	{ "ReduceSumSquare", rule_reduce, 0, false },
	{ "Relu", rule_same, 0, false },
	{ "Reshape", rule_reshape, 0, false },
	{ "Resize", rule_resize, 0, false },
	{ "ReverseSequence", rule_same, 0, false },
	{ "RotaryEmbedding", rule_same, 0, false },
	{ "Round", rule_same, 0, false },
	{ "STFT", rule_stft, 0, false },
	{ "SVMClassifier", rule_classify_pairs, ONNX_INT64, false },
	{ "SVMRegressor", rule_predict, ONNX_FLOAT, false },
	{ "Scaler", rule_same, ONNX_FLOAT, false },
	{ "Scatter", rule_same, 0, false },
	{ "ScatterElements", rule_same, 0, false },
	{ "ScatterND", rule_same, 0, false },
	{ "Selu", rule_same, 0, false },
	{ "SequenceAt", rule_data, 0, false },
	{ "SequenceConstruct", rule_data, 0, false },
	{ "SequenceEmpty", rule_data, 0, false },
	{ "SequenceErase", rule_data, 0, false },
	{ "SequenceInsert", rule_data, 0, false },
	{ "SequenceLength", rule_data, 0, false },
	{ "Shape", rule_shape, ONNX_INT64, false },
	{ "Shrink", rule_same, 0, false },
	{ "Sigmoid", rule_same, 0, false },
	{ "Sign", rule_same, 0, false },
	{ "SimplifiedLayerNormalization", rule_same, 0, false },
	{ "Sin", rule_same, 0, false },
	{ "Sinh", rule_same, 0, false },
	{ "Size", rule_size, ONNX_INT64, false },
	{ "Slice", rule_slice, 0, false },
	{ "Softmax", rule_same, 0, false },
	{ "Softplus", rule_same, 0, false },
	{ "Softsign", rule_same, 0, false },
	{ "SpaceToDepth", rule_space_to_depth, 0, false },
	{ "Split", rule_split, 0, false },
	{ "SplitToSequence", rule_data, 0, false },
	{ "Sqrt", rule_same, 0, false },
	{ "Squeeze", rule_squeeze, 0, false },
	{ "Sub", rule_broadcasted, 0, false },
	{ "Sum", rule_broadcasted, 0, false },
	{ "Swish", rule_same, 0, false },
	{ "Tan", rule_same, 0, false },
	{ "Tanh", rule_same, 0, false },
	{ "ThresholdedRelu", rule_same, 0, false },
	{ "Tile", rule_tile, 0, false },
	{ "TopK", rule_top_k, 0, false },
	{ "Transpose", rule_transpose, 0, false },
	{ "TreeEnsemble", rule_predict, 0, false },
	{ "TreeEnsembleClassifier", rule_classify, ONNX_INT64, false },
	{ "TreeEnsembleRegressor", rule_predict, ONNX_FLOAT, false },
	{ "Trilu", rule_same, 0, false },
	{ "Unique", rule_data, 0, false },
	{ "Unsqueeze", rule_unsqueeze, 0, false },
	{ "Upsample", rule_resize, 0, false },
	{ "Where", rule_where, 0, false },
	{ "Xor", rule_broadcasted, ONNX_BOOL, false },
	{ "ZipMap", rule_same, 0, false },
};

static int compare_rule(const void *key, const void *entry)
{
	const struct text *op = key;
	const struct onnx_rule *rule = entry;
	size_t len = strlen(rule->op);
	int order = memcmp(op->ptr, rule->op, op->len < len ? op->len : len);

	return order ? order : (op->len > len) - (op->len < len);
}

const struct onnx_rule *onnx_rule_of(const struct onnx_node *n)
{
	/* The Attention of com.microsoft multiplies by weights, unlike the standard one. */
	if (n->domain.len &&
	    (!text_is(n->domain, "com.microsoft") || text_is(n->op, "Attention")))
		return NULL;
	return bsearch(&n->op, rules, COUNT(rules), sizeof(*rules), compare_rule);
}

int rule_wrong(struct rule_call *c, const char *fmt, ...)
{
	struct buf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	fault_set(c->fault, "%s", text.ptr);
	buf_free(&text);
	return RULE_WRONG;
}

bool rule_has(const struct rule_call *c, uint32_t i)
{
	return i < c->ins && c->in[i];
}

const struct onnx_fact *rule_in(struct rule_call *c, uint32_t i)
{
	if (!rule_has(c, i)) {
		rule_wrong(c, "operand %u is missing", i);
		return NULL;
	}
	if (c->in[i]->has_shape)
		return c->in[i];
	c->lost = c->in[i]->lost;
	*c->fault = (struct fault){ "" };
	return NULL;
}

int rule_missing(struct rule_call *c)
{
	return c->fault->text[0] ? RULE_WRONG : RULE_UNKNOWN;
}

double rule_product(const int64_t *dim, uint32_t dims)
{
	double product = 1;

	for (uint32_t i = 0; i < dims; i++)
		product *= (double)dim[i];
	return product;
}

bool rule_fits(const int64_t *dim, uint32_t dims)
{
	double product = 1; /* without sizes of 0, because strides do not have them */

	for (uint32_t i = 0; i < dims; i++) {
		if (dim[i] < 0)
			return false;
		product *= dim[i] ? (double)dim[i] : 1;
	}
	return dims <= ONNX_DIMS_MAX && product <= ONNX_ELEMENTS_MAX;
}

int rule_out(struct rule_call *c, uint32_t i, const int64_t *dim, uint32_t dims)
{
	int64_t *kept;

	if (!rule_fits(dim, dims))
		return rule_wrong(c, "the shape of its result %u is impossible", i);
	if (i >= c->outs || !c->out[i])
		return RULE_FINE;
	kept = arena_zero(&c->shapes->arena, dims, sizeof(*kept));
	if (dims)
		memcpy(kept, dim, dims * sizeof(*kept));
	c->out[i]->dim = kept;
	c->out[i]->dims = dims;
	c->out[i]->has_shape = true;
	return RULE_FINE;
}

int rule_out_same(struct rule_call *c, uint32_t i, const struct onnx_fact *v)
{
	if (i < c->outs && c->out[i]) {
		c->out[i]->dim = v->dim; /* lives as long as the model and the shapes */
		c->out[i]->dims = v->dims;
		c->out[i]->has_shape = true;
	}
	return RULE_FINE;
}

int64_t rule_int(const struct rule_call *c, const char *name, int64_t value)
{
	const struct onnx_attribute *a = onnx_attribute(c->node, name);

	return a && a->type == ONNX_ATTRIBUTE_INT ? a->i : value;
}

bool rule_has_attribute(const struct rule_call *c, const char *name)
{
	return onnx_attribute(c->node, name) != NULL;
}

const int64_t *rule_ints(const struct rule_call *c, const char *name, uint32_t *count)
{
	const struct onnx_attribute *a = onnx_attribute(c->node, name);

	*count = a ? a->int_count : 0;
	return a ? a->ints : NULL;
}

struct text rule_text(const struct rule_call *c, const char *name, const char *value)
{
	const struct onnx_attribute *a = onnx_attribute(c->node, name);

	return a && a->type == ONNX_ATTRIBUTE_STRING ? a->s : text_of(value);
}

const int64_t *rule_integers(
    const struct rule_call *c, uint32_t i, const char *attribute, uint32_t *count)
{
	static const int64_t none[1];

	if (attribute && rule_has_attribute(c, attribute)) {
		const int64_t *ints = rule_ints(c, attribute, count);

		return ints ? ints : none;
	}
	*count = 0;
	if (!rule_has(c, i) || c->in[i]->dims > 1 ||
	    !onnx_fact_known(c->shapes, c->in[i]) || !c->in[i]->integer)
		return NULL;
	*count = (uint32_t)onnx_fact_elements(c->in[i]);
	return c->in[i]->integer;
}

bool rule_axis(struct rule_call *c, int64_t axis, uint32_t rank, uint32_t *out)
{
	if (axis < -(int64_t)rank || axis >= (int64_t)rank) {
		rule_wrong(
		    c, "axis %lld of a tensor of %u dimensions", (long long)axis, rank);
		return false;
	}
	*out = (uint32_t)(axis < 0 ? axis + rank : axis);
	return true;
}

bool rule_broadcast(struct rule_call *c, int64_t *dim, uint32_t *dims, const int64_t *other,
    uint32_t other_dims)
{
	uint32_t all = *dims > other_dims ? *dims : other_dims;

	/* From the last dimension to the first; dim has room for ONNX_DIMS_MAX. */
	for (uint32_t i = 1; i <= all; i++) {
		int64_t a = i <= *dims ? dim[*dims - i] : 1;
		int64_t b = i <= other_dims ? other[other_dims - i] : 1;

		if (a != b && a != 1 && b != 1) {
			rule_wrong(c, "sizes %lld and %lld do not fit", (long long)a,
			    (long long)b);
			return false;
		}
	}
	if (all > *dims)
		memmove(dim + all - *dims, dim, *dims * sizeof(*dim));
	for (uint32_t i = 0; i < all - *dims; i++)
		dim[i] = 1;
	for (uint32_t i = 1; i <= other_dims; i++)
		if (dim[all - i] == 1)
			dim[all - i] = other[other_dims - i];
	*dims = all;
	return true;
}
