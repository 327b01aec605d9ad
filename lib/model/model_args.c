/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the arguments of lines; see model_args.h.
 */
#include <math.h>
#include <stdlib.h>

#include "graph/dtype.h"
#include "model/model_args.h"
#include "text/units.h"

/* Returns the symbol of this name, from the current block or the list, or NULL. */
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

/* Returns the value of a formula for the present values of the symbols. */
static double formula_now(struct builder *b, const struct formula *formula)
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
			number_print(number, formula_now(b, formula));
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
		build_fail(b, "%s=%s: needs one number", key, a->text);
		return otherwise;
	}
	double x = formula_now(b, a->part[0]);
	if (!isfinite(x)) {
		build_fail(b, "%s=%s: its value is not a number", key, a->text);
		return otherwise;
	}
	return x;
}

/* Returns x as a whole number of at least `least`, or fails. */
static int64_t whole_number(struct builder *b, const struct model_arg *a, double x,
    int64_t least, int64_t otherwise)
{
	if (x >= (double)least && x <= ELEMENTS_MAX && x == floor(x))
		return (int64_t)x;
	char text[NUMBER_TEXT_MAX];
	number_print(text, isfinite(x) ? x : 0);
	build_fail(b, "%s=%s: its value is %s, not a whole number of at least %lld", a->key,
	    a->text, isfinite(x) ? text : "undefined", (long long)least);
	return otherwise;
}

int64_t arg_whole(struct builder *b, const char *key, int64_t otherwise, int64_t least)
{
	const struct model_arg *a = model_line_arg(b->line, key);

	return a ? whole_number(b, a, arg_number(b, key, 0), least, otherwise) : otherwise;
}

int64_t arg_size(struct builder *b, const char *key)
{
	if (!model_line_arg(b->line, key))
		build_fail(b, "needs the argument %s=", key);
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
		build_fail(b,
		    "needs the argument %s= with 1 to %d numbers separated by colons", key,
		    BACKEND_DIMS);
		list[0] = 1;
		return 1;
	}
	for (size_t i = 0; i < a->parts; i++)
		list[i] = whole_number(b, a, formula_now(b, a->part[i]), -1, 1);
	return (uint32_t)a->parts;
}

enum backend_act arg_act(struct builder *b)
{
	static const char *const names[BACKEND_ACTS] = { "linear", "relu", "gelu",
		"gelu_tanh", "quickgelu", "silu", "tanh", "sigmoid", "softplus", "relu6",
		"hardsigmoid", "hardswish", "exp", "log", "sqrt", "reciprocal", "erf",
		"sin", "cos" };
	const char *text = arg_text(b, "act");

	for (size_t i = 0; text && i < COUNT(names); i++)
		if (strcmp(text, names[i]) == 0)
			return (enum backend_act)i;
	if (text)
		build_fail(b, "act=%s: no such activation function", text);
	return BACKEND_LINEAR;
}

enum backend_dtype arg_dtype(struct builder *b, enum backend_dtype otherwise)
{
	const char *text = arg_text(b, "dtype");
	int found = text ? dtype_find(text) : (int)otherwise;

	if (text && strcmp(text, "model") == 0)
		return b->dtype;
	if (found < 0)
		build_fail(b, "dtype=%s: no such element type", text);
	return found < 0 ? otherwise : (enum backend_dtype)found;
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
		build_fail(b, "weight=%s: its sizes differ from those needed here", text);
	return (uint32_t)found;
}
