/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expands the lines of a list to a graph: symbols, blocks, repetition, and words; see
 * model.h.
 *
 * A step is expanded with all lines, including those with once=1, so that all values get
 * their sizes. Then the operations that run once are removed, and with them all operations
 * whose results nothing else needs, such as the whole encoder. A list therefore does not
 * mark the lines of its encoder.
 */
#include <stdlib.h>

#include "graph/dtype.h"
#include "graph/graph_prune.h"
#include "graph/graph_quantize.h"
#include "model/model_args.h"
#include "model/model_expand_priv.h"
#include "text/units.h"

enum { LINES_RUN_MAX = 1000000 };

/* The least share of the MACs of a model in int8 that must be in int8: a row must not have
 * the name of a type in which only a little of it is computed. */
static const double quantized_least = 0.5;

/* Expands a block several times. */
static void run_repeat(struct expansion *e, const struct model_line *l)
{
	struct builder *b = &e->b;
	size_t at = (size_t)(l - e->m->list.line), symbols = b->symbols, path = b->path.len;

	expand_check_args(e, l, "times");
	if (l->outs != 1)
		build_fail(b, "needs a symbol under out, which counts the repetitions");
	int64_t times = arg_whole(b, "times", -1, 0);
	if (times < 0)
		build_fail(b, "needs the argument times=");
	char *name = arg_text(b, "name") ? build_text(b, arg_text(b, "name")) : NULL;
	for (int64_t i = 0; i < times && !b->failed; i++) {
		build_push_symbol(b, l->out[0], (double)i);
		if (name) {
			char *step = str_format("%s.%lld", name, (long long)i);

			expand_push_path(b, step);
			free(step);
		}
		expand_lines(e, at + 1, l->end);
		b->line = l;
		b->symbols = symbols;
		expand_pop_path(b, path);
		if (++e->lines_run > LINES_RUN_MAX)
			build_fail(b, "more than %d lines are expanded", LINES_RUN_MAX);
	}
	free(name);
}

/* Adds a symbol of the list, with the value of the parameter or its default. */
static void run_symbol(struct expansion *e, const struct model_line *l)
{
	struct builder *b = &e->b;

	if (e->calls || b->path.len)
		build_fail(b, "not allowed inside a block");
	double value = arg_number(b, "value", 0);
	for (size_t i = 0; i < e->opts->params; i++)
		if (strcmp(e->opts->param[i].name, l->out[0]) == 0)
			(void)units_number(e->opts->param[i].value, &value, &b->fault);
	build_push_symbol(b, l->out[0], value);
}

/* Assigns a value to a name; a name that the block already has gets a new value. */
static void run_let(struct expansion *e, const struct model_line *l)
{
	struct builder *b = &e->b;

	expand_check_args(e, l, "value");
	if (l->outs != 1 || !model_line_arg(l, "value")) {
		build_fail(b, "needs a name under out and the argument value=");
		return;
	}
	double value = arg_number(b, "value", 0);
	for (size_t i = b->symbols; i-- > b->frame;)
		if (strcmp(b->symbol[i].name, l->out[0]) == 0) {
			b->symbol[i].value = value;
			return;
		}
	build_push_symbol(b, l->out[0], value);
}

/* Checks a condition that does not follow from the shapes, such as the length of a
 * context. */
static void run_require(struct expansion *e, const struct model_line *l)
{
	expand_check_args(e, l, "value");
	if (!arg_flag(&e->b, "value", false)) {
		char *text = build_text(&e->b, l->note);

		build_fail(&e->b, "%s", text);
		free(text);
	}
}

/* Expands one line. */
static void run_line(struct expansion *e, const struct model_line *l)
{
	static const struct {
		const char *word;
		void (*run)(struct expansion *e, const struct model_line *l);
	} controls[] = { { "repeat", run_repeat }, { "symbol", run_symbol },
		{ "let", run_let }, { "require", run_require } };
	struct builder *b = &e->b;
	const struct model_word *word = model_word_find(l->word);

	if (model_line_arg(l, "when") && !arg_flag(b, "when", true))
		return;
	for (size_t i = 0; i < COUNT(controls); i++)
		if (strcmp(l->word, controls[i].word) == 0) {
			controls[i].run(e, l);
			return;
		}
	if (word) {
		expand_word(e, l, word);
		return;
	}
	const struct model_line *def = expand_find_definition(e, l->word);
	if (def)
		expand_call(e, l, def);
	else
		build_fail(b, "no such word");
}

void expand_lines(struct expansion *e, size_t from, size_t to)
{
	struct builder *b = &e->b;

	if (++e->depth > 4 * DEPTH_MAX)
		build_fail(b, "blocks are nested too deeply");
	for (size_t i = from; i < to && !b->failed; i++) {
		const struct model_line *l = &e->m->list.line[i];

		b->line = l;
		if (++e->lines_run > LINES_RUN_MAX)
			build_fail(b, "more than %d lines are expanded", LINES_RUN_MAX);
		if (strcmp(l->word, "def") != 0)
			run_line(e, l);
		if (l->end)
			i = l->end;
	}
	e->depth--;
}

/* Sums up the work of a graph, and describes its first input. */
static void sum_up(struct graph *g)
{
	for (size_t i = 0; i < g->values; i++) {
		struct graph_value *v = &g->value[i];

		v->role = g->value[v->of].role;
		if (v->counts)
			g->params += (double)graph_elements(v);
		if (v->role == BACKEND_INPUT && v->of == i && !g->input_shape) {
			struct buf text = { 0 };

			for (uint32_t d = 0; d < v->dims; d++)
				buf_printf(
				    &text, "%s%lld", d ? "x" : "", (long long)v->size[d]);
			g->input_shape = text.ptr;
		}
	}
	if (!g->input_shape)
		g->input_shape = str_copy("");
	for (size_t i = 0; i < g->nodes; i++) {
		g->macs += g->node[i].macs;
		g->flops += g->node[i].flops;
		g->bytes += g->node[i].bytes;
	}
}

/* Returns whether a symbol has this name, or this longer one. */
static bool symbol_has_name(const struct model_symbol *s, const char *name)
{
	return strcmp(s->name, name) == 0 || (s->longer && strcmp(s->longer, name) == 0);
}

/* Checks that each parameter names a symbol and is a number. Returns 0, or -1 and the
 * message. */
static int check_params(
    const struct model *m, const struct model_expand_opts *opts, struct fault *f)
{
	const struct binding *param = opts->param;

	for (size_t i = 0; i < opts->params; i++) {
		size_t k = 0;
		struct fault why;
		double value;

		while (k < m->symbols && !symbol_has_name(&m->symbol[k], param[i].name))
			k++;
		if (k < m->symbols && units_number(param[i].value, &value, &why) == 0)
			continue;
		if (k < m->symbols)
			return fault_set(
			    f, "-P %s=%s: %s", param[i].name, param[i].value, why.text);
		struct buf list = { 0 };
		for (k = 0; k < m->symbols; k++)
			buf_printf(&list, "%s%s", k ? ", " : "", m->symbol[k].name);
		fault_set(f, "%s has no parameter '%s'; it has %s", m->name, param[i].name,
		    list.len ? list.ptr : "none");
		buf_free(&list);
		return -1;
	}
	return 0;
}

/* Returns the present value of a symbol, or `otherwise` if there is no such symbol. */
static double symbol_or(const struct builder *b, const char *name, double otherwise)
{
	double value;

	return build_symbol(b, name, &value) ? value : otherwise;
}

/* Quantizes a graph. Returns 0, or MODEL_UNSUPPORTED and the message. The whole model
 * decides for its steps. */
static int quantize(struct graph *g, enum model_phase phase, struct fault *f)
{
	double share;

	graph_quantize(g);
	share = graph_quantized_share(g);
	if (share >= quantized_least || phase == MODEL_STEP)
		return 0;
	fault_set(f,
	    "int8 is for products and convolutions with constant weights, and these have "
	    "only %.2g%% of the multiply-adds of this model",
	    100 * share);
	return MODEL_UNSUPPORTED;
}

/* Finds the number of tokens to generate: that of the parameter, or of the model. Returns
 * 0, or -1 and the message. */
static int find_new_tokens(const struct model *m, const struct model_expand_opts *opts,
    double *new_tokens, struct fault *f)
{
	*new_tokens = 0;
	for (size_t i = 0; i < m->symbols; i++)
		if (strcmp(m->symbol[i].name, "new_tokens") == 0)
			*new_tokens = m->symbol[i].value;
	for (size_t i = 0; i < opts->params; i++)
		if (strcmp(opts->param[i].name, "new_tokens") == 0)
			return units_number(opts->param[i].value, new_tokens, f);
	return 0;
}

/* Expands the lines of the model, and computes its samples and tokens. */
static void build_model(struct expansion *e)
{
	struct builder *b = &e->b;
	struct graph *g = b->g;

	b->line = &e->m->list.line[e->m->from - 1];
	if (b->stepping && !b->generating)
		build_fail(b, "has no steps unless new_tokens is above 0");
	build_push_symbol(b, "step", b->stepping);
	expand_lines(e, e->m->from, e->m->to);
	if (!b->failed && !g->nodes)
		build_fail(b, "the list has no operation");
	expand_drop_names(e, 0);
	free(e->name);
	if (b->failed)
		return;
	if (b->stepping)
		graph_prune(g, b->once);
	g->samples = symbol_or(b, "batch", 1);
	g->tokens = b->stepping ? g->samples : g->samples * symbol_or(b, "seq", 0);
}

/* Returns whether a model in this type is quantized. A kernel is not: it has values of
 * int8. */
static bool is_quantized(const struct model *m, enum backend_dtype dtype)
{
	return dtype == BACKEND_INT8 && !m->onnx &&
	       strcmp(m->list.line[m->from - 1].word, "model") == 0;
}

/* Returns the type of the values before the products are quantized. */
static enum backend_dtype value_dtype(const struct model_expand_opts *opts, bool quantized)
{
	if (opts->exact && (quantized || dtype_is_float(opts->dtype)))
		return BACKEND_FLOAT64;
	return quantized ? BACKEND_FLOAT32 : opts->dtype;
}

/* Expands the lines of a list to the graph e->b.g. Returns 0, or -1 and the message. */
static int expand_list(struct expansion *e, struct fault *f)
{
	double new_tokens;
	int status;

	if (find_new_tokens(e->m, e->opts, &new_tokens, f) < 0)
		return -1;
	e->b.stepping = e->opts->phase == MODEL_STEP;
	e->b.generating = e->m->generates && new_tokens > 0;
	build_model(e);
	status = e->b.failed ? -1 : 0;
	if (status < 0)
		model_line_fault(e->b.failed_line, f, e->b.fault.text);
	build_free(&e->b);
	return status;
}

/* Returns whether a parameter has another value than the symbol by default. */
static bool is_changed(const struct model *m, const struct binding *param)
{
	struct fault f;
	double value;

	for (size_t k = 0; k < m->symbols; k++)
		if (symbol_has_name(&m->symbol[k], param->name))
			return units_number(param->value, &value, &f) < 0 ||
			       value != m->symbol[k].value;
	return true;
}

/* Names the parameters in the message about a list that can be expanded without them. */
static void blame_params(
    const struct model *m, const struct model_expand_opts *opts, struct fault *f)
{
	struct model_expand_opts defaults = *opts;
	struct buf params = { 0 };
	struct fault why = *f, other;
	struct graph graph;

	defaults.params = 0;
	if (!opts->params || model_expand(m, &defaults, &graph, &other) < 0)
		return;
	graph_free(&graph);
	for (size_t i = 0; i < opts->params; i++)
		if (is_changed(m, &opts->param[i]))
			buf_printf(&params, "%s-P %s=%s", params.len ? " " : "",
			    opts->param[i].name, opts->param[i].value);
	fault_set(
	    f, "%s%s%s", params.len ? params.ptr : "", params.len ? ": " : "", why.text);
	buf_free(&params);
}

int model_expand(const struct model *m, const struct model_expand_opts *opts,
    struct graph *out, struct fault *f)
{
	const bool quantized = is_quantized(m, opts->dtype);
	const enum backend_dtype dtype = value_dtype(opts, quantized);
	struct expansion e = { .m = m, .opts = opts, .b = { .g = out, .dtype = dtype } };
	int status;

	*out = (struct graph){ 0 };
	if (check_params(m, opts, f) < 0)
		return -1;
	if (m->onnx)
		return onnx_import(
		    &m->onnx->model, opts->param, opts->params, dtype, out, f);
	status = expand_list(&e, f);
	if (status == 0 && quantized)
		status = quantize(out, opts->phase, f);
	if (status == 0)
		sum_up(out);
	else
		graph_free(out);
	if (status == -1)
		blame_params(m, opts, f);
	return status;
}
