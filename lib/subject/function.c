/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions as subjects; see function.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "discover/benchmarks.h"
#include "discover/meta.h"
#include "subject/function.h"
#include "text/units.h"

/* The object's path as dlopen wants it. */
static char *object_path(struct text object)
{
	char *path = mem_text(object.ptr, object.len), *full = NULL;

	if (strchr(path, '/'))
		return path;
	if (access(path, F_OK) < 0) {
		full = lib_path(path);
		if (access(full, F_OK) < 0) {
			free(full);
			full = NULL;
		}
	}
	if (!full)
		full = str_format("./%s", path);
	free(path);
	return full;
}

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

static int make(
    const char *path, const struct benchmark *b, struct function **out, struct fault *f)
{
	struct function *fn = mem_zero(1, sizeof(*fn));
	struct text meta = text_of(b->text);

	*fn = (struct function){ .object = str_copy(path),
		.symbol = str_copy(b->symbol),
		.set_up = symbol_of(meta, "setup"),
		.tear_down = symbol_of(meta, "teardown"),
		.kind = b->loop ? FUNCTION_LOOP : FUNCTION_PLAIN };
	if (amount_of(meta, "items", &fn->items, f) < 0 ||
	    amount_of(meta, "bytes", &fn->bytes, f) < 0) {
		function_free(fn);
		return -1;
	}
	*out = fn;
	return 0;
}

/* The object's name tells apart what different objects have under one name. */
static void add_object(struct template *t, const char *path)
{
	const char *slash = strrchr(path, '/');

	template_add_factor(t, "object", slash ? slash + 1 : path, false);
}

/* What the metadata gives parameters that have no values yet. */
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

/* Say which function the message is about. */
static int symbol_error(const char *path, const char *symbol, struct fault *f)
{
	struct fault why = *f;

	return fault_set(f, "%s:%s: %s", path, symbol, why.text);
}

static int dress(
    struct template *t, const char *path, const struct benchmark *b, struct fault *f)
{
	t->kind = KIND_FUNCTION;
	add_object(t, path);
	if (strcmp(b->status, "ok") != 0) {
		t->skipped = str_copy(b->status);
		return 0;
	}
	if (make(path, b, &t->function, f) < 0 || add_defaults(t, text_of(b->text), f) < 0)
		return symbol_error(path, b->symbol, f);
	return 0;
}

static int add_matching(struct templates *list, const char *path,
    const struct benchmarks *found, const char *glob, struct fault *f)
{
	const struct benchmark *bad = NULL;
	size_t good = 0;

	for (size_t i = 0; i < found->count; i++) {
		const struct benchmark *b = &found->item[i];
		struct template *t;

		if (!benchmark_matches(b, glob))
			continue;
		t = VEC_ADD(list->item, list->count, list->cap);
		*t = (struct template){ .bench = str_copy(b->name) };
		if (dress(t, path, b, f) < 0)
			return -1;
		good += !t->skipped;
		bad = t->skipped ? b : bad;
	}
	if (good)
		return 0;
	if (bad)
		return fault_set(f, "%s:%s: %s", path, bad->symbol, bad->status);
	return glob ? fault_set(
	                  f, "%s: no benchmark matches '%s' (see bench-list)", path, glob)
	            : fault_set(f,
	                  "%s: there are no benchmarks in it (exported functions named "
	                  "benchmark_* or run_*)",
	                  path);
}

int functions_add(struct templates *list, const char *operand, struct fault *f)
{
	const char *glob;
	size_t len = benchmarks_split(operand, &glob);
	char *path = object_path((struct text){ operand, len });
	struct benchmarks found = { 0 };
	int status = benchmarks_read(path, false, &found, f);

	if (status == 0)
		status = add_matching(list, path, &found, glob, f);
	benchmarks_free(&found);
	free(path);
	return status;
}

static const struct benchmark *find(const struct benchmarks *found, const char *symbol)
{
	for (size_t i = 0; symbol && i < found->count; i++)
		if (strcmp(found->item[i].symbol, symbol) == 0)
			return &found->item[i];
	return NULL;
}

int function_fill(struct template *t, const char *subject, struct fault *f)
{
	const char *symbol;
	size_t len = benchmarks_split(subject, &symbol);
	char *path = object_path((struct text){ subject, len });
	struct benchmarks found = { 0 };

	if (t->skipped) {
		add_object(t, path);
		free(path);
		return 0;
	}
	/* All functions: one may have been listed by bench-list -a. */
	int status = benchmarks_read(path, true, &found, f);
	const struct benchmark *b = status == 0 ? find(&found, symbol) : NULL;

	if (status == 0 && !symbol)
		status = fault_set(f, "'%s' is not OBJECT:SYMBOL", subject);
	else if (status == 0 && !b)
		status = fault_set(f, "%s: it has no function '%s'", path, symbol);
	else if (status == 0)
		status = dress(t, path, b, f);
	benchmarks_free(&found);
	free(path);
	return status;
}

static int value_of(const struct subject *s, const char *name, double *out, struct fault *f)
{
	for (size_t i = 0; i < s->factors; i++)
		if (strcmp(s->factor[i].name, name) == 0)
			return units_number(s->factor[i].value, out, f);
	return fault_set(f, "items or bytes name '%s', which is no parameter", name);
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
		status = fault_set(f, "items or bytes come to nothing that can be");
	free(value);
	return status;
}

void function_free(struct function *fn)
{
	if (!fn)
		return;
	free(fn->object);
	free(fn->symbol);
	free(fn->set_up);
	free(fn->tear_down);
	formula_free(fn->items);
	formula_free(fn->bytes);
	free(fn);
}
