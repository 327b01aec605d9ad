/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The open dimensions of the inputs; see onnx_shapes.h.
 */
#include <math.h>
#include <stdlib.h>

#include "onnx/onnx_shapes.h"
#include "text/units.h"

struct symbol_search {
	const struct onnx_symbols *symbols;
	const char *name;
};

static bool is_symbol(const void *ctx, size_t number)
{
	const struct symbol_search *s = ctx;

	return strcmp(s->symbols->item[number].name, s->name) == 0;
}

static struct onnx_symbol *find_symbol(const struct onnx_symbols *s, const char *name)
{
	struct symbol_search search = { s, name };
	size_t at = hash_map_find(&s->map, text_hash(text_of(name), 0), is_symbol, &search);

	return at == HASH_MAP_NONE ? NULL : &s->item[at];
}

/* Return the longer name of an open dimension, and its name, which the arena keeps. */
static const char *longer_name(
    struct arena *arena, const struct onnx_value *v, uint32_t dim)
{
	return arena_format(arena, "%.*s.%u", (int)v->name.len, v->name.ptr, dim);
}

static const char *symbol_name(
    struct arena *arena, const struct onnx_value *v, uint32_t dim)
{
	return v->dim[dim].name.len ? arena_text(arena, v->dim[dim].name)
	                            : longer_name(arena, v, dim);
}

/* Returns whether an input is a whole number or a truth value, or a list of them. */
static bool is_number(const struct onnx_value *v)
{
	return v->is_tensor && v->has_shape && !v->has_initializer && v->dims <= 1 &&
	       (v->type == ONNX_BOOL || (v->type >= ONNX_UINT8 && v->type <= ONNX_INT64) ||
	           v->type == ONNX_UINT32 || v->type == ONNX_UINT64) &&
	       (!v->dims || onnx_type_bits(v->type) >= 32 || v->type == ONNX_BOOL);
}

const struct onnx_symbol *onnx_symbols_number(
    const struct onnx_symbols *s, const struct onnx_value *v)
{
	char *name = is_number(v) ? mem_text(v->name.ptr, v->name.len) : NULL;
	const struct onnx_symbol *found = name ? find_symbol(s, name) : NULL;

	free(name);
	return found && found->is_number ? found : NULL;
}

/* Adds a symbol, unless there is one of this name. Returns its place. */
static size_t add_symbol(
    struct onnx_symbols *out, const char *name, const char *longer, bool number)
{
	struct symbol_search search = { .symbols = out, .name = name };
	const size_t at =
	    hash_map_add(&out->map, text_hash(text_of(name), 0), is_symbol, &search);

	if (at == out->count)
		*VEC_ADD(out->item, out->count, out->capacity) =
		    (struct onnx_symbol){ name, longer, number ? 1 : 0, number, false };
	return at;
}

void onnx_symbols_find(const struct onnx_model *m, struct onnx_symbols *out)
{
	const struct onnx_graph *g = &m->graph;

	*out = (struct onnx_symbols){ 0 };
	for (uint32_t i = 0; i < g->inputs; i++)
		for (uint32_t j = 0; j < g->input[i].dims; j++) {
			size_t at;

			if (g->input[i].dim[j].is_fixed || g->input[i].has_initializer)
				continue;
			at = add_symbol(out, symbol_name(&out->arena, &g->input[i], j),
			    longer_name(&out->arena, &g->input[i], j), false);
			if (j == 0)
				out->item[at].size = 1;
		}
	for (uint32_t i = 0; i < g->inputs; i++)
		if (is_number(&g->input[i]))
			add_symbol(out, arena_text(&out->arena, g->input[i].name),
			    arena_format(&out->arena, "%.*s.value",
			        (int)g->input[i].name.len, g->input[i].name.ptr),
			    true);
}

void onnx_symbols_free(struct onnx_symbols *s)
{
	hash_map_free(&s->map);
	arena_free(&s->arena);
	free(s->item);
	*s = (struct onnx_symbols){ 0 };
}

int onnx_symbols_set(
    struct onnx_symbols *s, const char *name, const char *value, struct fault *f)
{
	struct onnx_symbol *symbol = find_symbol(s, name);
	struct fault ignored;
	double size;

	for (size_t i = 0; i < s->count && !symbol; i++)
		if (strcmp(s->item[i].longer, name) == 0)
			symbol = &s->item[i];
	if (!symbol)
		return 0;
	if (symbol->is_number) {
		if (units_number(value, &size, &ignored) < 0 || size < 0 || size > 0x1p53 ||
		    size != floor(size))
			return fault_set(f,
			    "%s=%s: this input is a whole number, or 0 or 1 for a truth "
			    "value",
			    name, value);
		symbol->size = (int64_t)size;
		symbol->is_set = true;
		return 1;
	}
	if (units_number(value, &size, &ignored) < 0 || size < 1 || size > INT32_MAX ||
	    size != floor(size))
		return fault_set(f,
		    "%s=%s: the size of a dimension is a whole number from 1 to "
		    "%d",
		    name, value, INT32_MAX);
	symbol->size = (int64_t)size;
	return 1;
}

int64_t onnx_symbols_size(
    const struct onnx_symbols *s, const struct onnx_value *v, uint32_t dim)
{
	struct arena arena = { 0 };
	const struct onnx_symbol *symbol;
	int64_t size;

	if (v->dim[dim].is_fixed)
		return v->dim[dim].size;
	symbol = find_symbol(s, symbol_name(&arena, v, dim));
	size = symbol && symbol->size ? symbol->size : -1;
	arena_free(&arena);
	return size;
}
