/*
 * A growing graph; see model_build.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/dtype.h"
#include "model/model_build.h"
#include "text/units.h"

/* No value may have more elements, and no graph more nodes or values. */
static const double elements_max = 281474976710656.0; /* 2^48 */
enum { NODES_MAX = 100000 };

void build_fail(struct builder *b, const char *fmt, ...)
{
	va_list ap;

	if (b->failed)
		return;
	b->failed = true;
	b->failed_line = b->line;
	va_start(ap, fmt);
	(void)vsnprintf(b->fault.text, sizeof(b->fault.text), fmt, ap);
	va_end(ap);
}

static const struct model_symbol_value *find_symbol(
    const struct builder *b, struct text name, bool is_text)
{
	for (size_t i = b->symbols; i-- > 0;) {
		const struct model_symbol_value *s = &b->symbol[i];

		if ((i >= b->frame || i < b->globals) && (s->text != NULL) == is_text &&
		    text_is(name, s->name))
			return s;
	}
	return NULL;
}

bool build_symbol(const struct builder *b, const char *name, double *value)
{
	const struct model_symbol_value *s = find_symbol(b, text_of(name), false);

	if (s)
		*value = s->value;
	return s != NULL;
}

void build_push_symbol(struct builder *b, const char *name, double value)
{
	*VEC_ADD(b->symbol, b->symbols, b->symbol_cap) =
	    (struct model_symbol_value){ name, value, NULL };
}

void build_push_text(struct builder *b, const char *name, const char *text)
{
	*VEC_ADD(b->symbol, b->symbols, b->symbol_cap) =
	    (struct model_symbol_value){ name, 0, text };
}

static double evaluate(struct builder *b, const struct formula *formula)
{
	size_t names = formula_names(formula);
	double *value = mem_zero(names + 1, sizeof(*value)), result;

	for (size_t i = 0; i < names; i++)
		if (!build_symbol(b, formula_name(formula, i), &value[i]))
			build_fail(b, "there is no symbol '%s'", formula_name(formula, i));
	result = formula_value(formula, value);
	free(value);
	return result;
}

char *build_text(struct builder *b, const char *text)
{
	struct buf out = { 0 };

	buf_str(&out, "");
	for (const char *p = text; *p;) {
		size_t plain = strcspn(p, "{");
		const char *end = strchr(p, '}');
		char number[NUMBER_TEXT_MAX];

		buf_put(&out, p, plain);
		p += plain;
		if (!*p)
			break;
		if (!end || end < p) {
			build_fail(b, "'%s': a '}' is missing", text);
			break;
		}
		char *inner = mem_text(p + 1, (size_t)(end - p - 1));
		struct fault why;
		struct formula *formula = formula_parse_symbols(inner, &why);

		if (!formula)
			build_fail(b, "%s", why.text);
		else {
			number_print(number, evaluate(b, formula));
			buf_str(&out, number);
		}
		formula_free(formula);
		free(inner);
		p = end + 1;
	}
	return out.ptr;
}

double arg_number(struct builder *b, const char *key, double otherwise)
{
	const struct model_arg *a = model_line_arg(b->line, key);

	if (!a)
		return otherwise;
	if (a->parts != 1) {
		build_fail(b, "%s=%s: it takes one number", key, a->text);
		return otherwise;
	}
	double x = evaluate(b, a->part[0]);
	if (!isfinite(x)) {
		build_fail(b, "%s=%s: it is no number here", key, a->text);
		return otherwise;
	}
	return x;
}

static int64_t whole(struct builder *b, const struct model_arg *a, double x, int64_t least,
    int64_t otherwise)
{
	if (x >= (double)least && x <= elements_max && x == floor(x))
		return (int64_t)x;
	char text[NUMBER_TEXT_MAX];
	number_print(text, isfinite(x) ? x : 0);
	build_fail(b, "%s=%s: it comes to %s, not to a whole number of at least %lld",
	    a->key, a->text, isfinite(x) ? text : "nothing", (long long)least);
	return otherwise;
}

int64_t arg_whole(struct builder *b, const char *key, int64_t otherwise, int64_t least)
{
	const struct model_arg *a = model_line_arg(b->line, key);

	return a ? whole(b, a, arg_number(b, key, 0), least, otherwise) : otherwise;
}

int64_t arg_size(struct builder *b, const char *key)
{
	if (!model_line_arg(b->line, key))
		build_fail(b, "it needs %s=", key);
	return arg_whole(b, key, 1, 1);
}

bool arg_flag(struct builder *b, const char *key, bool otherwise)
{
	return arg_number(b, key, otherwise) != 0;
}

const char *arg_text(const struct builder *b, const char *key)
{
	const struct model_arg *a = model_line_arg(b->line, key);
	size_t len = a ? strlen(a->text) : 0;

	if (len < 3 || *a->text != '{' || a->text[len - 1] != '}')
		return a ? a->text : NULL;
	const struct model_symbol_value *s =
	    find_symbol(b, (struct text){ a->text + 1, len - 2 }, true);
	return s ? s->text : a->text;
}

uint32_t arg_list(struct builder *b, const char *key, int64_t list[BACKEND_DIMS])
{
	const struct model_arg *a = model_line_arg(b->line, key);

	if (!a || a->parts < 1 || a->parts > BACKEND_DIMS) {
		build_fail(
		    b, "it needs %s= of 1 to %d numbers between colons", key, BACKEND_DIMS);
		list[0] = 1;
		return 1;
	}
	for (size_t i = 0; i < a->parts; i++)
		list[i] = whole(b, a, evaluate(b, a->part[i]), -1, 1);
	return (uint32_t)a->parts;
}

enum backend_act arg_act(struct builder *b)
{
	static const char *const names[BACKEND_ACTS] = { "linear", "relu", "gelu",
		"gelu_tanh", "quickgelu", "silu", "tanh", "sigmoid", "softplus" };
	const char *text = arg_text(b, "act");

	for (size_t i = 0; text && i < COUNT(names); i++)
		if (strcmp(text, names[i]) == 0)
			return (enum backend_act)i;
	if (text)
		build_fail(b, "act=%s: there is none of this name", text);
	return BACKEND_LINEAR;
}

enum backend_dtype arg_dtype(struct builder *b, enum backend_dtype otherwise)
{
	const char *text = arg_text(b, "dtype");
	int found = text ? dtype_find(text) : (int)otherwise;

	if (text && strcmp(text, "model") == 0)
		return b->dtype;
	if (found < 0)
		build_fail(b, "dtype=%s: there is none of this name", text);
	return found < 0 ? otherwise : (enum backend_dtype)found;
}

uint32_t build_in(const struct builder *b, size_t i)
{
	return i < b->ins ? b->in[i] : (uint32_t)GRAPH_NONE;
}

struct graph_value *build_value(struct builder *b, uint32_t value)
{
	return &b->g->value[value];
}

int64_t build_last(struct builder *b, uint32_t value)
{
	const struct graph_value *v = build_value(b, value);

	return v->size[v->dims - 1];
}

struct shape build_shape(struct builder *b, uint32_t value)
{
	const struct graph_value *v = build_value(b, value);
	struct shape shape = { .dims = v->dims };

	memcpy(shape.size, v->size, sizeof(shape.size));
	return shape;
}

static void take_name(struct build_names *names, const char *name)
{
	size_t number = intern_add(&names->intern, text_of(name));

	while (names->next_cap <= number)
		names->next = mem_more(names->next, &names->next_cap, sizeof(*names->next));
	names->next[number] = 2;
}

/* A name that nothing has yet: itself, or followed by .2, .3 ... Allocated. */
static char *free_name(struct build_names *names, const char *name)
{
	long found = intern_find(&names->intern, text_of(name));
	char *text = str_copy(name);

	while (found >= 0 && intern_find(&names->intern, text_of(text)) >= 0) {
		free(text);
		text = str_format("%s.%zu", name, names->next[found]++);
	}
	take_name(names, text);
	return text;
}

static uint32_t add_value(struct builder *b, const char *name, enum backend_role role,
    enum backend_dtype dtype, struct shape shape)
{
	struct graph *g = b->g;
	uint32_t number = (uint32_t)g->values;
	struct graph_value *v = VEC_ADD(g->value, g->values, g->value_cap);
	double elements = 1;

	*v = (struct graph_value){ .name = free_name(&b->values, name),
		.dtype = dtype,
		.role = role,
		.dims = shape.dims,
		.of = number };
	for (uint32_t i = 0; i < shape.dims; i++)
		elements *= (double)shape.size[i];
	if (elements > elements_max)
		build_fail(b, "'%s' would have more than 2^48 elements", name);
	int64_t stride = 1;
	for (uint32_t i = shape.dims; i-- > 0;) {
		v->size[i] = elements > elements_max ? 1 : shape.size[i];
		if (v->size[i] < 1) {
			build_fail(b, "a size of '%s' is less than 1", name);
			v->size[i] = 1;
		}
		v->stride[i] = stride;
		stride *= v->size[i];
	}
	if (g->values > 4 * NODES_MAX)
		build_fail(b, "there are more than %d values", 4 * NODES_MAX);
	return number;
}

uint32_t build_new(struct builder *b, enum backend_dtype dtype, struct shape shape)
{
	return add_value(b, b->name, BACKEND_ACTIVATION, dtype, shape);
}

uint32_t build_lasting(struct builder *b, const char *suffix, enum backend_role role,
    enum backend_dtype dtype, struct shape shape)
{
	char *name = str_format("%s%s%s", b->name, suffix ? "." : "", suffix ? suffix : "");
	uint32_t number;

	if (intern_find(&b->values.intern, text_of(name)) >= 0)
		build_fail(b, "there is a '%s' already: tell them apart by name=", name);
	number = add_value(b, name, role, dtype, shape);
	free(name);
	return number;
}

uint32_t build_weight(
    struct builder *b, const char *suffix, struct shape shape, double at, double spread)
{
	uint32_t w = build_lasting(b, suffix, BACKEND_WEIGHT, b->dtype, shape);
	struct graph_value *v = build_value(b, w);

	v->counts = true;
	v->at = at;
	v->spread = spread;
	v->fill = FILL_NORMAL;
	if (!dtype_is_float(b->dtype)) {
		v->fill = FILL_BELOW;
		v->spread = 8;
	}
	return w;
}

uint32_t build_tied(
    struct builder *b, const char *suffix, struct shape shape, double spread)
{
	const char *text = arg_text(b, "weight");

	if (!text)
		return build_weight(b, suffix, shape, 0, spread);
	char *whose = build_text(b, text), *name = str_format("%s.weight", whose);
	long found = intern_find(&b->values.intern, text_of(name));

	if (found < 0)
		build_fail(b, "weight=%s: there is no '%s'", text, name);
	free(whose);
	free(name);
	if (found < 0)
		return build_weight(b, suffix, shape, 0, spread);
	struct shape have = build_shape(b, (uint32_t)found);
	bool same = have.dims == shape.dims;
	for (uint32_t i = 0; same && i < shape.dims; i++)
		same = have.size[i] == shape.size[i];
	if (!same)
		build_fail(b, "weight=%s: it has other sizes than are needed here", text);
	return (uint32_t)found;
}

uint32_t build_view(struct builder *b, uint32_t of, struct shape shape,
    const int64_t stride[BACKEND_DIMS], int64_t offset)
{
	struct graph_value base = b->g->value[of];
	char *name = str_format("%s.view", b->name);
	uint32_t number = add_value(b, name, base.role, base.dtype, shape);
	struct graph_value *v = build_value(b, number);

	v->of = base.of;
	v->offset = base.offset + offset;
	memcpy(v->stride, stride, sizeof(v->stride));
	free(name);
	return number;
}

/*
 * Strides by which the elements of `old` come in the order of `shape`, or false. Runs of
 * dimensions whose products agree are matched, and within one the old ones must follow on
 * each other.
 */
static bool restride(
    const struct graph_value *old, const struct shape *shape, int64_t stride[BACKEND_DIMS])
{
	uint32_t dims = 0, o = 0, n = 0;
	int64_t size[BACKEND_DIMS], step[BACKEND_DIMS];

	for (uint32_t i = 0; i < old->dims; i++)
		if (old->size[i] != 1) {
			size[dims] = old->size[i];
			step[dims++] = old->stride[i];
		}
	for (uint32_t i = 0; i < BACKEND_DIMS; i++)
		stride[i] = 1;
	while (o < dims && n < shape->dims) {
		uint32_t o_end = o + 1, n_end = n + 1;
		int64_t have = size[o], want = shape->size[n];

		while (have != want)
			if (have < want && o_end < dims)
				have *= size[o_end++];
			else if (want < have && n_end < shape->dims)
				want *= shape->size[n_end++];
			else
				return false;
		for (uint32_t i = o; i + 1 < o_end; i++)
			if (step[i] != size[i + 1] * step[i + 1])
				return false;
		stride[n_end - 1] = step[o_end - 1];
		for (uint32_t i = n_end - 1; i > n; i--)
			stride[i - 1] = stride[i] * shape->size[i];
		o = o_end;
		n = n_end;
	}
	for (; o < dims || n < shape->dims; n++)
		if (o < dims || shape->size[n] != 1)
			return false;
	return true;
}

uint32_t build_reshape(struct builder *b, uint32_t value, struct shape shape)
{
	struct graph_value old = *build_value(b, value);
	int64_t stride[BACKEND_DIMS];
	double elements = 1;

	for (uint32_t i = 0; i < shape.dims; i++)
		elements *= (double)shape.size[i];
	if (elements != (double)graph_elements(&old)) {
		build_fail(b, "%lld elements do not go into %.0f",
		    (long long)graph_elements(&old), elements);
		return value;
	}
	if (!restride(&old, &shape, stride)) {
		build_fail(b, "its elements do not lie so: move it before");
		return value;
	}
	return build_view(b, value, shape, stride, 0);
}

uint32_t build_rows(struct builder *b, uint32_t value)
{
	struct graph_value *v = build_value(b, value);

	if (v->dims == 2)
		return value;
	int64_t last = build_last(b, value);
	return build_reshape(b, value, SHAPE(graph_elements(v) / last, last));
}

uint32_t build_tokens(struct builder *b, uint32_t value)
{
	const struct graph_value *v = build_value(b, value);

	if (v->dims != 2)
		return value;
	int64_t batch = arg_size(b, "batch"), rows = v->size[0];
	if (rows % batch) {
		build_fail(b, "%lld rows are no multiple of the batch, %lld",
		    (long long)rows, (long long)batch);
		return value;
	}
	return build_reshape(b, value, SHAPE(batch, rows / batch, v->size[1]));
}

uint32_t build_slice(
    struct builder *b, uint32_t value, uint32_t dim, int64_t from, int64_t size)
{
	struct graph_value old = *build_value(b, value);
	struct shape shape = build_shape(b, value);

	if (dim >= old.dims || from < 0 || size < 1 || from > old.size[dim] - size) {
		build_fail(b, "it has no such part: %lld from %lld on of dimension %u",
		    (long long)size, (long long)from, (unsigned)dim);
		return value;
	}
	shape.size[dim] = size;
	return build_view(b, value, shape, old.stride, from * old.stride[dim]);
}

struct backend_op *build_node(
    struct builder *b, enum backend_kind kind, struct operands operands)
{
	struct graph *g = b->g;
	struct graph_node *n = VEC_ADD(g->node, g->nodes, g->node_cap);

	*n = (struct graph_node){
		.name = free_name(&b->nodes, b->name), .word = b->word, .op.kind = kind
	};
	for (uint32_t i = 0; i < BACKEND_INS; i++)
		n->in[i] = i < operands.ins ? operands.in[i] : (uint32_t)GRAPH_NONE;
	for (uint32_t i = 0; i < BACKEND_OUTS; i++)
		n->out[i] = i < operands.outs ? operands.out[i] : (uint32_t)GRAPH_NONE;
	if (g->nodes > NODES_MAX)
		build_fail(b, "there are more than %d operations", NODES_MAX);
	while (b->once_cap < g->nodes)
		b->once = mem_more(b->once, &b->once_cap, sizeof(*b->once));
	b->once[g->nodes - 1] = false;
	return &n->op;
}

void build_free(struct builder *b)
{
	free(b->once);
	free(b->symbol);
	buf_free(&b->path);
	intern_free(&b->values.intern);
	intern_free(&b->nodes.intern);
	free(b->values.next);
	free(b->nodes.next);
	free(b->name);
}
