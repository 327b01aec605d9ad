/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces nodes of fused operators, which ONNX Runtime writes when it quantizes or
 * optimizes a model, by nodes of standard operators that compute the same: an operator on
 * quantized numbers becomes one on floating-point numbers between DequantizeLinear and
 * QuantizeLinear. Some of the operators that remain have a rule of their own in
 * onnx_rules.c. Each row of the table describes an operator. See onnx_rules_priv.h.
 */
#include "onnx/onnx_rules_priv.h"

enum { STEPS_MAX = 7, NAMES = 'z' - 'a' + 1 };

/* A node of a standard operator, one of those that replace a node. */
struct step {
	const char *op;
	/* The name of its result, from a to z; 0: it has the results of the replaced node.
	 * The step is left out if its first operand is absent; its result is absent then,
	 * or that of the step named `otherwise`.
	 */
	char out, otherwise;
	/* The number of its results from `out` on; 0: one. */
	uint32_t outs;
	/* The result of the replaced node that it also has; 0: none. */
	uint32_t result;
	/* Its operands: a digit is an operand of the replaced node, A is operand 10 and so
	 * on, a small letter is the result of an earlier step, "-" one that is absent, and
	 * "*" the results of the step before, which was repeated. */
	const char *ins;
	bool keeps; /* whether it has the attributes of the replaced node */
	/* Whether it is repeated for the next three operands, and so on to the last. */
	bool repeats;
	/* An attribute: an integer, from which 1 is subtracted if the replaced node has the
	 * attribute `minus`, which is not 0; or a copy of the attribute `copied`. */
	const char *attribute, *minus, *copied;
	int64_t value;
	const char *text; /* the value of the attribute, if it is a string */
};

#define DEQUANTIZE(name, from)                                     \
	{                                                          \
		.op = "DequantizeLinear", .out = name, .ins = from \
	}
#define DEQUANTIZE_AXIS(name, from, axis)                                                \
	{                                                                                \
		.op = "DequantizeLinear", .out = name, .ins = from, .attribute = "axis", \
		.value = axis                                                            \
	}
#define QUANTIZE(from)                              \
	{                                           \
		.op = "QuantizeLinear", .ins = from \
	}
#define COMPUTE(operator, name, from)                                   \
	{                                                               \
		.op = operator, .out = name, .ins = from, .keeps = true \
	}
/* The steps of an operator with one or two quantized operands. */
#define UNARY(standard)                                                              \
	{                                                                            \
		DEQUANTIZE('x', "012"), COMPUTE(standard, 'y', "x"), QUANTIZE("y34") \
	}
#define BINARY(standard)                                          \
	{                                                         \
		DEQUANTIZE('a', "012"), DEQUANTIZE('b', "345"),   \
		    COMPUTE(standard, 'y', "ab"), QUANTIZE("y67") \
	}

/* Sums of operands 0 and 1, and of an optional bias, which is result 3; named u. */
#define SUM_OF(bias)                                                        \
	{ .op = "Add", .out = 't', .ins = "01" },                           \
	    { .op = "Add", .out = 'u', .ins = bias "t", .otherwise = 't' }, \
	    { .op = "Identity", .out = 'v', .ins = "u", .result = 3 }
#define STANDARD ""
#define MICROSOFT "com.microsoft"
/* An operator of another domain for which there is a rule. */
#define RULED(name, domain, from)              \
	{                                      \
		name, domain,                  \
		{                              \
			COMPUTE(name, 0, from) \
		}                              \
	}
#define RENAMED(name, from) RULED(name, MICROSOFT, from)
#define LEARNING(name, from) RULED(name, "ai.onnx.ml", from)

static const struct fused_operator {
	const char *op;
	const char *domain; /* its domain */
	struct step step[STEPS_MAX];
} fused[] = {
	LEARNING("ArrayFeatureExtractor", "01"),
	{ "Attention", MICROSOFT,
	    { { .op = "MatMul", .out = 'p', .ins = "01" },
	        { .op = "Add", .out = 'q', .ins = "2p", .otherwise = 'p' },
	        { .op = "Split",
	            .out = 'a',
	            .outs = 3,
	            .ins = "q",
	            .attribute = "axis",
	            .value = -1 },
	        COMPUTE("MultiHeadAttention", 0, "abc-354") } },
	{ "BiasGelu", MICROSOFT,
	    { { .op = "Add", .out = 's', .ins = "01" }, { .op = "Gelu", .ins = "s" } } },
	LEARNING("Binarizer", "0"),
	{ "DequantizeLinear", MICROSOFT, { COMPUTE("DequantizeLinear", 0, "012") } },
	{ "DynamicQuantizeMatMul", MICROSOFT,
	    { { .op = "DynamicQuantizeLinear", .out = 'q', .outs = 3, .ins = "0" },
	        { .op = "MatMulInteger", .out = 'i', .ins = "q1s3" },
	        { .op = "Cast",
	            .out = 'f',
	            .ins = "i",
	            .attribute = "to",
	            .value = ONNX_FLOAT },
	        { .op = "Mul", .out = 'n', .ins = "r2" },
	        { .op = "Mul", .out = 'o', .ins = "fn" },
	        { .op = "Add", .out = 'p', .ins = "4o", .otherwise = 'o' },
	        { .op = "Identity", .ins = "p" } } },
	RENAMED("EmbedLayerNormalization", "012345678"),
	{ "FastGelu", MICROSOFT,
	    { { .op = "Add", .out = 's', .ins = "10", .otherwise = '0' },
	        { .op = "Gelu",
	            .ins = "s",
	            .attribute = "approximate",
	            .text = "tanh" } } },
	RENAMED("FusedConv", "0123"),
	RENAMED("FusedGemm", "012"),
	RENAMED("FusedMatMul", "01"),
	{ "GatherBlockQuantized", MICROSOFT,
	    { { .op = "DequantizeBlocks",
	          .out = 'd',
	          .ins = "023",
	          .keeps = true,
	          .attribute = "axis",
	          .copied = "quantize_axis" },
	        { .op = "Gather",
	            .ins = "d1",
	            .attribute = "axis",
	            .copied = "gather_axis" } } },
	{ "Gelu", MICROSOFT, { COMPUTE("Gelu", 0, "0") } },
	RENAMED("GroupQueryAttention", "0123456789ABCD"),
	LEARNING("Imputer", "0"),
	LEARNING("LabelEncoder", "0"),
	LEARNING("LinearClassifier", "0"),
	LEARNING("LinearRegressor", "0"),
	RENAMED("MatMulNBits", "012345"),
	{ "MatMulIntegerToFloat", MICROSOFT,
	    { { .op = "MatMulInteger", .out = 'i', .ins = "0145" },
	        { .op = "Cast",
	            .out = 'f',
	            .ins = "i",
	            .attribute = "to",
	            .value = ONNX_FLOAT },
	        { .op = "Mul", .out = 'n', .ins = "23" },
	        { .op = "Mul", .out = 'o', .ins = "fn" },
	        { .op = "Add", .out = 'p', .ins = "6o", .otherwise = 'o' },
	        { .op = "Identity", .ins = "p" } } },
	RENAMED("MultiHeadAttention", "0123456789"),
	LEARNING("Normalizer", "0"),
	LEARNING("OneHotEncoder", "0"),
	{ "QGemm", MICROSOFT,
	    { DEQUANTIZE('a', "012"),
	        { .op = "DequantizeLinear",
	            .out = 'b',
	            .ins = "345",
	            .attribute = "axis",
	            .value = 1,
	            .minus = "transB" },
	        { .op = "Mul", .out = 's', .ins = "14" }, DEQUANTIZE_AXIS('c', "6s", 0),
	        /* alpha is also a factor of the bias */
	        { .op = "Gemm",
	            .out = 'y',
	            .ins = "abc",
	            .keeps = true,
	            .attribute = "beta",
	            .copied = "alpha" },
	        QUANTIZE("y78") } },
	{ "QLinearAdd", MICROSOFT, BINARY("Add") },
	{ "QLinearAveragePool", MICROSOFT, UNARY("AveragePool") },
	{ "QLinearConcat", MICROSOFT,
	    { { .op = "DequantizeLinear", .ins = "234", .repeats = true },
	        COMPUTE("Concat", 'y', "*"), QUANTIZE("y01") } },
	{ "QLinearConv", STANDARD,
	    { DEQUANTIZE('x', "012"), DEQUANTIZE_AXIS('w', "345", 0),
	        { .op = "Mul", .out = 's', .ins = "14" }, DEQUANTIZE_AXIS('b', "8s", 0),
	        COMPUTE("Conv", 'y', "xwb"), QUANTIZE("y67") } },
	{ "QLinearGlobalAveragePool", MICROSOFT, UNARY("GlobalAveragePool") },
	{ "QLinearLeakyRelu", MICROSOFT, UNARY("LeakyRelu") },
	{ "QLinearMatMul", STANDARD, BINARY("MatMul") },
	{ "QLinearMul", MICROSOFT, BINARY("Mul") },
	{ "QLinearReduceMean", MICROSOFT, UNARY("ReduceMean") },
	{ "QLinearSigmoid", MICROSOFT, UNARY("Sigmoid") },
	{ "QLinearSoftmax", MICROSOFT, UNARY("Softmax") },
	{ "QLinearWhere", MICROSOFT,
	    { DEQUANTIZE('x', "123"), DEQUANTIZE('y', "456"), COMPUTE("Where", 'z', "0xy"),
	        QUANTIZE("z78") } },
	{ "QuantizeLinear", MICROSOFT, { COMPUTE("QuantizeLinear", 0, "012") } },
	RENAMED("QuickGelu", "0"),
	RENAMED("RotaryEmbedding", "0231"),
	LEARNING("SVMClassifier", "0"),
	LEARNING("SVMRegressor", "0"),
	LEARNING("Scaler", "0"),
	{ "SimplifiedLayerNormalization", STANDARD,
	    { COMPUTE("RMSNormalization", 0, "01") } },
	{ "SkipLayerNormalization", MICROSOFT,
	    { SUM_OF("4"), COMPUTE("LayerNormalization", 0, "u23") } },
	{ "SkipSimplifiedLayerNormalization", MICROSOFT,
	    { SUM_OF("3"), COMPUTE("RMSNormalization", 0, "u2") } },
	LEARNING("TreeEnsemble", "0"),
	LEARNING("TreeEnsembleClassifier", "0"),
	LEARNING("TreeEnsembleRegressor", "0"),
	LEARNING("ZipMap", "0"),
};

#define DISTANCES(measure)                                   \
	{                                                    \
		"Scan", STANDARD,                            \
		{                                            \
			{ .op = "Distances",                 \
				.ins = "01",                 \
				.result = 1,                 \
				.attribute = "norm",         \
				.text = measure },           \
			    { .op = "Identity", .ins = "0" } \
		}                                            \
	}

/* A Scan whose body has these operators, from the last one; see onnx_scan_is(). */
static const struct scan_operator {
	const char *body[3];
	struct fused_operator as;
} scans[] = {
	{ { "ReduceSum", "Abs" }, DISTANCES("L1") },
	{ { "ReduceSumSquare" }, DISTANCES("L2") },
};

/* The nodes that replace a node, and the names of their results. */
struct expanding {
	struct arena *arena;
	const struct onnx_node *from;
	struct onnx_node *node;
	uint32_t nodes;
	struct text name[NAMES]; /* of results; empty: absent */
	uint32_t repeated;       /* the last nodes, of a step that was repeated */
};

static const struct fused_operator *fused_of(const struct onnx_node *n)
{
	const struct onnx_attribute *last = onnx_attribute(n, "channels_last");

	for (size_t i = 0; i < COUNT(fused); i++)
		if (text_is(n->op, fused[i].op) && text_is(n->domain, fused[i].domain) &&
		    !(last && last->i) && n->outputs)
			return &fused[i];
	for (size_t i = 0; text_is(n->op, "Scan") && !n->domain.len && i < COUNT(scans);
	    i++)
		if (onnx_scan_is(n, scans[i].body))
			return &scans[i].as;
	return NULL;
}

/* Returns the name of an operand of a step; `shift` is added to the numbers of operands. */
static struct text operand(const struct expanding *e, char in, uint32_t shift)
{
	const uint32_t number =
	    (uint32_t)(in >= 'A' && in <= 'Z' ? in - 'A' + 10 : in - '0') + shift;

	if (in >= 'a' && in <= 'z')
		return e->name[in - 'a'];
	if (in == '-')
		return TEXT("");
	return number < e->from->inputs ? e->from->input[number] : TEXT("");
}

/* Returns the attributes of a step, and stores their number. */
static const struct onnx_attribute *attributes(
    const struct expanding *e, const struct step *s, uint32_t *count)
{
	const struct onnx_node *n = e->from;
	const uint32_t kept = s->keeps ? n->attributes : 0;
	const struct onnx_attribute *minus = s->minus ? onnx_attribute(n, s->minus) : NULL,
	                            *copied =
	                                s->copied ? onnx_attribute(n, s->copied) : NULL;
	struct onnx_attribute *all = arena_zero(e->arena, kept + 1, sizeof(*all));

	if (kept)
		memcpy(all, n->attribute, kept * sizeof(*all));
	*count = kept;
	if (!s->attribute || (s->copied && !copied))
		return all;
	if (copied)
		all[kept] = *copied;
	else if (s->text)
		all[kept] = (struct onnx_attribute){ .type = ONNX_ATTRIBUTE_STRING,
			.s = text_of(s->text) };
	else
		all[kept] = (struct onnx_attribute){ .type = ONNX_ATTRIBUTE_INT,
			.i = s->value - (minus && minus->i) };
	all[kept].name = text_of(s->attribute);
	*count = kept + 1;
	return all;
}

/* Returns the names of the operands of a step, and stores their number. */
static const struct text *operands(
    const struct expanding *e, const struct step *s, uint32_t shift, uint32_t *count)
{
	const bool gathers = s->ins[0] == '*';
	struct text *in;

	*count = gathers ? e->repeated : (uint32_t)strlen(s->ins);
	in = arena_zero(e->arena, *count, sizeof(*in));
	for (uint32_t i = 0; i < *count; i++)
		in[i] = gathers ? e->node[e->nodes - e->repeated + i].output[0]
		                : operand(e, s->ins[i], shift);
	return in;
}

/* Adds the node of a step. `last`: it has the results of the replaced node. */
static void add_step(struct expanding *e, const struct step *s, uint32_t shift, bool last)
{
	struct onnx_node *n = &e->node[e->nodes];
	uint32_t ins, count;
	const struct text *in = operands(e, s, shift, &ins);
	struct text *out;

	if (!ins || !in[0].len) {
		if (s->otherwise)
			e->name[s->out - 'a'] = operand(e, s->otherwise, 0);
		return;
	}
	/* The sum of which only the step after it needs the name is no result. */
	if (s->result && (s->result >= e->from->outputs || !e->from->output[s->result].len))
		return;
	*n = *e->from;
	n->op = text_of(s->op);
	n->domain = TEXT("");
	n->input = in;
	n->inputs = ins;
	n->attribute = attributes(e, s, &count);
	n->attributes = count;
	if (s->result) {
		n->output = &e->from->output[s->result];
		n->outputs = 1;
	} else if (!last) {
		n->outputs = s->outs ? s->outs : 1;
		n->output = out = arena_zero(e->arena, n->outputs, sizeof(*out));
		for (uint32_t i = 0; i < n->outputs; i++) {
			/* No exporter writes such names. */
			out[i] = text_of(arena_format(e->arena, "%.*s//%u.%u",
			    (int)e->from->output[0].len, e->from->output[0].ptr, e->nodes,
			    i));
			if (s->out)
				e->name[s->out - 'a' + (char)i] = out[i];
		}
	} else if (e->nodes)
		n->outputs = 1; /* the others are statistics, or made by a step */
	e->nodes++;
}

uint32_t onnx_expansion_max(const struct onnx_node *n)
{
	return fused_of(n) ? STEPS_MAX + 4 + n->inputs : 0;
}

const struct onnx_node *onnx_expand(
    struct arena *arena, const struct onnx_node *n, uint32_t *count)
{
	const struct fused_operator *x = fused_of(n);
	struct expanding e = { .arena = arena, .from = n };
	uint32_t steps = 0;

	*count = 1;
	if (!x)
		return n;
	e.node = arena_zero(arena, onnx_expansion_max(n), sizeof(*e.node));
	while (steps < STEPS_MAX && x->step[steps].op)
		steps++;
	/* QGemm's result remains a floating-point number if it has no scale. */
	const char scale = x->step[steps - 1].ins[1];
	if (steps > 1 && scale >= '0' && scale <= '9' && !operand(&e, scale, 0).len)
		steps--;
	for (uint32_t i = 0; i < steps; i++) {
		const struct step *s = &x->step[i];
		const uint32_t before = e.nodes;
		uint32_t shift = 0;

		do
			add_step(&e, s, shift, i + 1 == steps);
		while (
		    s->repeats && (shift += 3) + (uint32_t)(s->ins[0] - '0') < n->inputs);
		e.repeated = e.nodes - before;
	}
	*count = e.nodes;
	return e.node;
}
