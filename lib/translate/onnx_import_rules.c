/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of rules and patterns; see onnx_import_priv.h.
 */
#include "translate/onnx_import_priv.h"

#define RULE(name, function)                \
	{                                   \
		.op = name, .add = function \
	}
#define NUMBER(name, function) { .op = name, .add = function, .whole = IMPORT_CONVERTS }
#define PLACE(name, function) { .op = name, .add = function, .whole = IMPORT_KEEPS }
/* An operator whose results are all made, not only the first one. */
#define MANY(name, function) { .op = name, .add = function, .makes_all = true }

static const struct import_rule rules[] = {
	/* Of the domain ai.onnx.ml. */
	PLACE("ArrayFeatureExtractor", import_select_features),
	NUMBER("Binarizer", import_binarizer),
	NUMBER("Imputer", import_imputer),
	NUMBER("LabelEncoder", import_label_encoder),
	{ .op = "LinearClassifier",
	    .add = import_linear_classifier,
	    .whole = IMPORT_CONVERTS,
	    .makes_all = true },
	NUMBER("LinearRegressor", import_linear_regressor),
	NUMBER("Normalizer", import_normalizer),
	{ .op = "SVMClassifier",
	    .add = import_vector_classifier,
	    .whole = IMPORT_CONVERTS,
	    .makes_all = true },
	NUMBER("SVMRegressor", import_vector_regressor),
	NUMBER("OneHotEncoder", import_one_hot_encoder),
	NUMBER("Scaler", import_scaler),
	NUMBER("TreeEnsemble", import_tree_regressor),
	{ .op = "TreeEnsembleClassifier",
	    .add = import_tree_classifier,
	    .whole = IMPORT_CONVERTS,
	    .makes_all = true },
	NUMBER("TreeEnsembleRegressor", import_tree_regressor),

	NUMBER("Abs", import_negate),
	NUMBER("Add", import_pair),
	NUMBER("ArgMax", import_top),
	NUMBER("ArgMin", import_top),
	MANY("Attention", import_attention),
	RULE("Acos", import_arc),
	RULE("Asin", import_arc),
	RULE("Asinh", import_area),
	RULE("Acosh", import_area),
	RULE("Atan", import_arc),
	RULE("Atanh", import_area),
	RULE("AveragePool", import_pool),
	RULE("BatchNormalization", import_batch_norm),
	RULE("Ceil", import_round),
	RULE("Celu", import_elu),
	NUMBER("Clip", import_clip),
	RULE("Conv", import_conv),
	RULE("ConvTranspose", import_conv_transpose),
	RULE("Cos", import_act),
	RULE("Cosh", import_hyperbolic),
	NUMBER("CumSum", import_cumsum),
	RULE("DFT", import_dft),
	NUMBER("Div", import_div),
	NUMBER("Distances", import_distances),
	RULE("Einsum", import_einsum),
	{ .op = "EmbedLayerNormalization",
	    .add = import_embed_norm,
	    .whole = IMPORT_KEEPS,
	    .makes_all = true },
	RULE("Elu", import_elu),
	RULE("Erf", import_act),
	RULE("Exp", import_act),
	RULE("Floor", import_round),
	RULE("FusedConv", import_conv),
	RULE("FusedGemm", import_gemm),
	RULE("FusedMatMul", import_matmul),
	MANY("GRU", import_recurrent),
	RULE("Gelu", import_act),
	RULE("Gemm", import_gemm),
	RULE("GlobalAveragePool", import_pool),
	RULE("GridSample", import_grid_sample),
	RULE("GroupNormalization", import_group_norm),
	MANY("GroupQueryAttention", import_group_query),
	RULE("HardSigmoid", import_hard),
	RULE("HardSwish", import_act),
	RULE("InstanceNormalization", import_group_norm),
	RULE("IsNaN", import_is_nan),
	RULE("LRN", import_lrn),
	MANY("LSTM", import_recurrent),
	RULE("LayerNormalization", import_layer_norm),
	RULE("LeakyRelu", import_leaky),
	RULE("Log", import_act),
	RULE("LogSoftmax", import_softmax),
	RULE("LpNormalization", import_lp_norm),
	RULE("MatMul", import_matmul),
	RULE("MatMulNBits", import_matmul_bits),
	NUMBER("Max", import_extreme),
	RULE("Mean", import_mean),
	NUMBER("Min", import_extreme),
	RULE("Mish", import_mish),
	NUMBER("Mod", import_mod),
	NUMBER("Mul", import_pair),
	MANY("MultiHeadAttention", import_multi_head),
	NUMBER("Neg", import_negate),
	NUMBER("OneHot", import_one_hot),
	RULE("PRelu", import_prelu),
	RULE("Pow", import_pow),
	RULE("QuantizeLinear", import_quantize),
	RULE("QuickGelu", import_swish),
	RULE("RMSNormalization", import_rms_norm),
	MANY("RNN", import_recurrent),
	RULE("Reciprocal", import_act),
	RULE("ReduceL1", import_reduce),
	RULE("ReduceL2", import_reduce),
	RULE("ReduceLogSum", import_reduce),
	RULE("ReduceLogSumExp", import_log_sum_exp),
	NUMBER("ReduceMax", import_reduce),
	RULE("ReduceMean", import_reduce),
	NUMBER("ReduceMin", import_reduce),
	RULE("ReduceProd", import_product_of),
	NUMBER("ReduceSum", import_reduce),
	RULE("ReduceSumSquare", import_reduce),
	NUMBER("Relu", import_act),
	RULE("RotaryEmbedding", import_rotary),
	RULE("Round", import_round),
	RULE("Selu", import_elu),
	RULE("Shrink", import_threshold),
	RULE("Sigmoid", import_act),
	RULE("STFT", import_stft),
	NUMBER("Sign", import_round),
	RULE("Sin", import_act),
	RULE("Sinh", import_hyperbolic),
	RULE("Softmax", import_softmax),
	RULE("Softplus", import_act),
	RULE("Softsign", import_softsign),
	RULE("Sqrt", import_act),
	NUMBER("Sub", import_pair),
	NUMBER("Sum", import_sum),
	RULE("Swish", import_swish),
	RULE("Tan", import_hyperbolic),
	RULE("Tanh", import_act),
	RULE("ThresholdedRelu", import_threshold),
	{ .op = "TopK", .add = import_top, .whole = IMPORT_CONVERTS, .makes_all = true },
	RULE("Upsample", import_resize),
	PLACE("And", import_logic),
	PLACE("Cast", import_cast),
	PLACE("Concat", import_concat),
	NUMBER("DequantizeBlocks", import_dequantize_blocks),
	NUMBER("DequantizeLinear", import_dequantize),
	PLACE("DepthToSpace", import_depth_to_space),
	PLACE("Equal", import_logic),
	PLACE("Expand", import_expand),
	PLACE("Flatten", import_reshaping),
	PLACE("Gather", import_gather),
	PLACE("GatherElements", import_gather_elements),
	PLACE("GatherND", import_gather_nd),
	NUMBER("GlobalMaxPool", import_pool),
	PLACE("Greater", import_logic),
	PLACE("GreaterOrEqual", import_logic),
	PLACE("Less", import_logic),
	PLACE("LessOrEqual", import_logic),
	NUMBER("MaxPool", import_pool),
	PLACE("Not", import_not),
	PLACE("Or", import_logic),
	PLACE("Pad", import_pad),
	PLACE("Reshape", import_reshaping),
	NUMBER("Resize", import_resize),
	PLACE("ScatterElements", import_scatter_elements),
	PLACE("ScatterND", import_scatter_nd),
	PLACE("Slice", import_slice),
	PLACE("SpaceToDepth", import_space_to_depth),
	{ .op = "Split", .add = import_split, .whole = IMPORT_KEEPS, .makes_all = true },
	PLACE("Squeeze", import_reshaping),
	PLACE("Tile", import_tile),
	PLACE("Transpose", import_transpose),
	PLACE("Trilu", import_trilu),
	PLACE("Unsqueeze", import_reshaping),
	PLACE("Where", import_where),
	PLACE("Xor", import_logic),
};

#define PATTERN(name, find, function)                      \
	{                                                  \
		.op = name, .match = find, .add = function \
	}

/* The first that matches is taken. */
static const struct import_rule patterns[] = {
	PATTERN("DequantizeLinear", import_match_quantized, import_matched_quantized),
	PATTERN("MatMul", import_match_attention, import_matched_attention),
	PATTERN("Where", import_match_softmax, import_matched_softmax),
	PATTERN("Add", import_match_norm, import_matched_norm),
	PATTERN("Add", import_match_linear, import_matched_linear),
	PATTERN("Mul", import_match_dynamic, import_matched_dynamic),
	PATTERN("Mul", import_match_gelu, import_matched_act),
	PATTERN("Mul", import_match_silu, import_matched_act),
	PATTERN("Mul", import_match_rms, import_matched_norm),
};

const struct import_rule *import_find_rule(const struct trace_node *n)
{
	for (size_t i = 0; i < COUNT(rules); i++)
		if (trace_is(n, rules[i].op))
			return &rules[i];
	return NULL;
}

const struct import_rule *import_find_pattern(
    struct import *im, const struct trace_node *n, struct import_match *m)
{
	for (size_t i = 0; i < COUNT(patterns); i++) {
		struct import_match found;

		for (size_t k = 0; k < IMPORT_INS; k++)
			found.in[k] = TRACE_NONE;
		found.number[0] = found.number[1] = found.number[2] = 0;
		found.flag = false;
		if (!trace_is(n, patterns[i].op) || !patterns[i].match(im, n, &found))
			continue;
		*m = found;
		return &patterns[i];
	}
	return NULL;
}
