/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions as subjects; see function.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "discover/benchmarks.h"
#include "discover/meta.h"
#include "subject/function.h"
#include "subject/unmeasurable.h"
#include "text/near_name.h"
#include "text/units.h"

static char *symbol_of(struct text meta, const char *key)
{
	struct text symbol = meta_find(meta, key);

	return symbol.len ? mem_text(symbol.ptr, symbol.len) : NULL;
}

static int amount_of(
    struct text meta, const char *key, struct formula **out, struct fault *f)
{
	struct text value = meta_find(meta, key);
	char *formula;

	*out = NULL;
	if (!value.len)
		return 0;
	formula = mem_text(value.ptr, value.len);
	*out = formula_parse(formula, f);
	free(formula);
	return *out ? 0 : -1;
}

static int function_make(
    const char *path, const struct benchmark *b, struct function **out, struct fault *f)
{
	struct text meta = text_of(b->text);
	struct formula *items, *bytes;

	if (amount_of(meta, "items", &items, f) < 0)
		return -1;
	if (amount_of(meta, "bytes", &bytes, f) < 0) {
		formula_free(items);
		return -1;
	}
	*out = mem_zero(1, sizeof(**out));
	**out = (struct function){ .object = str_copy(path),
		.symbol = str_copy(b->symbol),
		.set_up = symbol_of(meta, "setup"),
		.tear_down = symbol_of(meta, "teardown"),
		.kind = b->loop ? FUNCTION_LOOP : FUNCTION_PLAIN,
		.items = items,
		.bytes = bytes };
	return 0;
}

/*
 * Adds the factor `object`, which distinguishes functions of the same name in different
 * objects.
 */
static void add_object(struct template *t, const char *path)
{
	const char *slash = strrchr(path, '/');

	template_add_factor(t, "object", slash ? slash + 1 : path, false);
}

/* Adds the default values of the metadata for parameters that have no sweep. */
static int add_defaults(struct template *t, struct text meta, struct fault *f)
{
	struct text name, values;

	while (meta_param(&meta, &name, &values)) {
		struct sweep sweep;
		char *spec = str_format(
		    "%.*s=%.*s", (int)name.len, name.ptr, (int)values.len, values.ptr);
		int status = sweep_parse(spec, &sweep, f);

		free(spec);
		if (status < 0)
			return -1;
		sweep.is_default = true;
		if (template_has_sweep(t, sweep.name))
			sweep_free(&sweep);
		else
			template_add_sweep(t, sweep);
	}
	return 0;
}

static void template_set_function(
    struct template *t, const char *path, const struct benchmark *b)
{
	struct fault f;

	t->kind = KIND_FUNCTION;
	add_object(t, path);
	if (strcmp(b->status, "ok") != 0)
		fault_set(&f, "%s:%s: %s", path, b->symbol, b->status);
	else if (function_make(path, b, &t->function, &f) == 0 &&
	         add_defaults(t, text_of(b->text), &f) == 0)
		return;
	else
		fault_prefix(&f, "%s:%s", path, b->symbol);
	template_set_absent(t, &f);
}

/*
 * Adds an absent template for a function that cannot be found, with the name it would
 * have.
 */
static void add_absent(
    struct templates *list, const char *path, const char *glob, const struct fault *why)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct template *t = VEC_ADD(list->item, list->count, list->cap);

	*t = (struct template){ .kind = KIND_FUNCTION,
		.bench = str_copy(glob && *glob ? benchmark_bare_name(glob) : name) };
	add_object(t, path);
	template_set_absent(t, why);
}

static int add_matching(struct templates *list, const char *path,
    const struct benchmarks *found, const char *glob, struct fault *f)
{
	struct known_names known = { .advice = "see bench-list" };
	size_t matching = 0;
	char *what;

	for (size_t i = 0; i < found->count; i++) {
		const struct benchmark *b = &found->item[i];
		struct template *t;

		if (!benchmark_matches(b, glob))
			continue;
		t = VEC_ADD(list->item, list->count, list->cap);
		*t = (struct template){ .bench = str_copy(b->name) };
		template_set_function(t, path, b);
		matching++;
	}
	if (matching)
		return 0;
	if (!glob)
		return fault_set(f,
		    "%s: contains no benchmarks (exported functions named benchmark_* or "
		    "run_*)",
		    path);
	for (size_t i = 0; i < found->count; i++)
		known_names_add(&known, text_of(found->item[i].name));
	what = str_format("%s: no benchmark matches", path);
	unknown_name(f, what, text_of(glob), &known);
	free(what);
	return -1;
}

void functions_add(struct templates *list, const char *operand)
{
	const char *glob;
	size_t len = benchmarks_split(operand, &glob);
	char *path = benchmark_object_path((struct text){ operand, len });
	struct benchmarks found = { 0 };
	struct fault f;

	if (benchmarks_read(path, false, &found, &f) < 0 ||
	    add_matching(list, path, &found, glob, &f) < 0)
		add_absent(list, path, glob, &f);
	benchmarks_free(&found);
	free(path);
}

static const struct benchmark *benchmark_find(
    const struct benchmarks *found, const char *symbol)
{
	for (size_t i = 0; symbol && i < found->count; i++)
		if (strcmp(found->item[i].symbol, symbol) == 0)
			return &found->item[i];
	return NULL;
}

/* Fills in the function of this symbol, or makes the template absent. */
static void fill_symbol(struct template *t, const char *path, const char *symbol)
{
	struct benchmarks found = { 0 };
	struct fault why;
	/* Includes all functions, because bench-list -a may have listed this one. */
	int status = benchmarks_read(path, true, &found, &why);
	const struct benchmark *b = status == 0 ? benchmark_find(&found, symbol) : NULL;

	if (b)
		template_set_function(t, path, b);
	else {
		if (status == 0)
			fault_set(&why, "%s: has no function '%s'", path, symbol);
		add_object(t, path);
		template_set_absent(t, &why);
	}
	benchmarks_free(&found);
}

int function_fill(struct template *t, const char *subject, struct fault *f)
{
	const char *symbol;
	size_t len = benchmarks_split(subject, &symbol);
	char *path = benchmark_object_path((struct text){ subject, len });
	int status = 0;

	if (t->skipped)
		add_object(t, path);
	else if (!symbol)
		status = fault_set(f, "'%s' is not OBJECT:SYMBOL", subject);
	else
		fill_symbol(t, path, symbol);
	free(path);
	return status;
}

static int value_of(const struct subject *s, const char *name, double *out, struct fault *f)
{
	for (size_t i = 0; i < s->factors; i++)
		if (strcmp(s->factor[i].name, name) == 0)
			return units_number(s->factor[i].value, out, f) == 0
			           ? 0
			           : fault_prefix(f, "parameter '%s'", name);
	return fault_set(f, "items or bytes use '%s', which is not a parameter", name);
}

int function_amount(
    const struct formula *amount, const struct subject *s, double *out, struct fault *f)
{
	size_t names = amount ? formula_names(amount) : 0;
	double *value = mem_zero(names + 1, sizeof(*value));
	int status = 0;

	for (size_t i = 0; i < names && status == 0; i++)
		status = value_of(s, formula_name(amount, i), &value[i], f);
	*out = amount && status == 0 ? formula_value(amount, value) : 0;
	if (status == 0 && !(*out >= 0 && isfinite(*out)))
		status =
		    fault_set(f, "the value of items or bytes is negative or not finite");
	free(value);
	return status;
}

/* Returns whether the name of a parameter is in a formula; NULL has none. */
static bool formula_uses(const struct formula *formula, const char *name)
{
	for (size_t i = 0; formula && i < formula_names(formula); i++)
		if (strcmp(formula_name(formula, i), name) == 0)
			return true;
	return false;
}

bool function_takes(const struct template *t, const char *name)
{
	return t->function &&
	       (template_has_sweep(t, name) || formula_uses(t->function->items, name) ||
	           formula_uses(t->function->bytes, name));
}

void function_check(struct subject *s)
{
	const struct function *fn = s->from->function;
	double ignored;
	struct fault f;

	if (function_amount(fn->items, s, &ignored, &f) < 0 ||
	    function_amount(fn->bytes, s, &ignored, &f) < 0) {
		fault_prefix(&f, "%s:%s", fn->object, fn->symbol);
		subject_set_absent(s, &f);
	}
}
