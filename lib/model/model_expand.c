/*
 * From the lines of a list to a graph: symbols, blocks, repetition, and the words in
 * between; see model.h.
 *
 * For a step everything is expanded, also what is computed once, so that all values have
 * their sizes; then what is computed once is taken away, and with it whatever nothing else
 * needs, as the whole encoder. No list has to say which of its lines are the encoder.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/dtype.h"
#include "graph/graph_check.h"
#include "graph/graph_count.h"
#include "graph/graph_prune.h"
#include "model/model_args.h"
#include "model/model_priv.h"
#include "model/model_words.h"
#include "text/units.h"

enum { DEPTH_MAX = 24, LINES_RUN_MAX = 1000000 };

struct name {
	char *text;
	uint32_t value;
};

struct expansion {
	struct builder b;
	const struct model *m;
	const struct binding *param;
	size_t params;
	struct name *name; /* of values, those of the present block from `frame` on */
	size_t names, name_cap, frame;
	size_t lines_run;
	size_t call[DEPTH_MAX]; /* the definitions being expanded */
	int calls, depth;
};

static void run(struct expansion *e, size_t from, size_t to);

static struct name *find_name(struct expansion *e, const char *text)
{
	for (size_t i = e->names; i-- > e->frame;)
		if (strcmp(e->name[i].text, text) == 0)
			return &e->name[i];
	return NULL;
}

static void bind_name(struct expansion *e, const char *text, uint32_t value)
{
	struct name *have = find_name(e, text);

	if (have)
		have->value = value;
	else
		*VEC_ADD(e->name, e->names, e->name_cap) =
		    (struct name){ str_copy(text), value };
}

static void drop_names(struct expansion *e, size_t keep)
{
	while (e->names > keep)
		free(e->name[--e->names].text);
}

/* The value that the i-th name under `in` stands for; "-" is none. */
static uint32_t operand(struct expansion *e, const struct model_line *l, size_t i)
{
	char *text = build_text(&e->b, l->in[i]);
	struct name *name = find_name(e, text);

	if (!name && strcmp(text, "-") != 0)
		build_fail(&e->b, "there is no value '%s'", text);
	free(text);
	return name ? name->value : (uint32_t)GRAPH_NONE;
}

/* Whether a word is one of those of a list that are separated by spaces. */
static bool among(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list; (p = strstr(p, word)); p += len)
		if ((p == list || p[-1] == ' ') && (p[len] == ' ' || !p[len]))
			return true;
	return false;
}

static void check_args(struct expansion *e, const struct model_line *l, const char *allowed)
{
	for (size_t i = 0; i < l->args; i++)
		if (!among(allowed, l->arg[i].key) &&
		    !among("name when once", l->arg[i].key))
			build_fail(&e->b, "it has no argument '%s'", l->arg[i].key);
}

/* "decoder.3." and the line's own name: name=, or that of what it makes, unless it makes a
 * new value for an old name. */
static void name_line(struct expansion *e, const struct model_line *l)
{
	struct builder *b = &e->b;
	const char *given = arg_text(b, "name");
	char *own = build_text(b, given ? given : l->outs ? l->out[0] : l->word);

	if (!given && (strcmp(own, "-") == 0 || (l->ins && find_name(e, own)))) {
		free(own);
		own = str_copy(l->word);
	}
	free(b->name);
	b->name = str_format("%s%s", b->path.ptr ? b->path.ptr : "", own);
	free(own);
}

/* What a line computes once: kept under its name, and its operations not in a step. */
static void keep_once(struct builder *b, size_t first_node)
{
	for (size_t i = first_node; i < b->g->nodes; i++)
		b->once[i] = true;
	for (size_t i = 0; i < COUNT(b->out); i++) {
		if (b->out[i] == GRAPH_NONE)
			continue;
		struct graph_value *base = build_value(b, build_value(b, b->out[i])->of);
		if (base->role != BACKEND_ACTIVATION)
			build_fail(b, "once=: it makes no new value");
		else if (strcmp(base->name, b->name) != 0)
			build_fail(b,
			    "once=: there is a '%s' already: tell them apart by "
			    "name=",
			    b->name);
		base->role = BACKEND_STATE;
	}
}

static void check_nodes(struct builder *b, size_t first_node)
{
	for (size_t i = first_node; i < b->g->nodes && !b->failed; i++) {
		struct graph_node *n = &b->g->node[i];
		struct fault why;
		int64_t keys = 0;

		if (graph_check_node(b->g, n, &why) < 0) {
			build_fail(b, "%s", why.text);
			return;
		}
		if (n->op.kind == BACKEND_ATTENTION && n->op.p.attention.cached &&
		    !b->stepping)
			keys = b->g->value[n->in[0]].size[1];
		graph_count_node(b->g, n, keys);
	}
}

static void run_word(
    struct expansion *e, const struct model_line *l, const struct model_word *word)
{
	struct builder *b = &e->b;
	size_t first_node = b->g->nodes;

	check_args(e, l, word->args);
	if (l->ins < word->least_ins || l->ins > word->most_ins)
		build_fail(b, "it takes %u to %u values, not %zu",
		    (unsigned)word->least_ins, (unsigned)word->most_ins, l->ins);
	if (l->outs > word->most_outs)
		build_fail(
		    b, "it makes %u values, not %zu", (unsigned)word->most_outs, l->outs);
	for (b->ins = 0; b->ins < l->ins && b->ins < BACKEND_INS; b->ins++) {
		b->in[b->ins] = operand(e, l, b->ins);
		if (b->in[b->ins] == GRAPH_NONE && b->ins < word->least_ins)
			build_fail(b, "it needs its operand %zu", b->ins + 1);
	}
	b->out[0] = b->out[1] = GRAPH_NONE;
	name_line(e, l);
	if (b->failed)
		return;
	b->word = word->name;
	word->build(b, word);
	check_nodes(b, first_node);
	if (b->generating && arg_flag(b, "once", false) && !b->failed)
		keep_once(b, first_node);
	for (size_t i = 0; i < l->outs && !b->failed; i++) {
		char *text = build_text(b, l->out[i]);

		if (strcmp(text, "-") != 0)
			bind_name(e, text, b->out[i]);
		free(text);
	}
}

static const struct model_line *definition_in(
    const struct model_list *l, size_t from, size_t to, const char *name)
{
	for (size_t i = from; i < to; i++)
		if (strcmp(l->line[i].word, "def") == 0) {
			const struct model_arg *a = model_line_arg(&l->line[i], "name");

			if (a && strcmp(a->text, name) == 0)
				return &l->line[i];
		}
	return NULL;
}

/* Of the list itself, or among the blocks of all lists. */
static const struct model_line *find_definition(const struct expansion *e, const char *name)
{
	const struct model *m = e->m;
	const struct model_line *own = definition_in(&m->list, m->from, m->to, name);

	return own ? own : definition_in(&m->list, 0, m->blocks, name);
}

static void push_path(struct builder *b, const char *name)
{
	buf_str(&b->path, name);
	buf_byte(&b->path, '.');
}

static void pop_path(struct builder *b, size_t len)
{
	b->path.len = len;
	if (b->path.ptr)
		b->path.ptr[len] = '\0';
}

/* The definition's parameters: as the line says, or their defaults, where earlier ones are
 * known. */
static void push_params(struct expansion *e, const struct model_line *l,
    const struct model_line *def, size_t frame)
{
	struct builder *b = &e->b;
	struct model_symbol_value *given = mem_zero(def->args + 1, sizeof(*given));

	for (size_t i = 0; i < def->args; i++) {
		given[i].name = def->arg[i].key;
		if (!model_line_arg(l, given[i].name))
			continue;
		if (def->arg[i].parts)
			given[i].value = arg_number(b, given[i].name, 0);
		else
			given[i].text = arg_text(b, given[i].name);
	}
	b->globals = e->calls == 1 ? b->symbols : b->globals;
	b->frame = frame;
	b->line = def;
	for (size_t i = 0; i < def->args; i++) {
		bool is_given = model_line_arg(l, given[i].name);

		if (strcmp(given[i].name, "name") == 0)
			continue;
		if (def->arg[i].parts)
			build_push_symbol(b, given[i].name,
			    is_given ? given[i].value : arg_number(b, given[i].name, 0));
		else
			build_push_text(
			    b, given[i].name, is_given ? given[i].text : def->arg[i].text);
	}
	b->line = l;
	free(given);
}

static void call(
    struct expansion *e, const struct model_line *l, const struct model_line *def)
{
	struct builder *b = &e->b;
	size_t at = (size_t)(def - e->m->list.line), path = b->path.len;
	size_t frame = b->frame, globals = b->globals, symbols = b->symbols;
	size_t name_frame = e->frame, names = e->names;

	for (int i = 0; i < e->calls; i++)
		if (e->call[i] == at)
			build_fail(b, "it calls itself");
	if (e->calls == DEPTH_MAX)
		build_fail(b, "too many definitions in each other");
	if (l->ins != def->ins || l->outs > def->outs)
		build_fail(b, "it takes %zu values and makes %zu, not %zu and %zu",
		    def->ins, def->outs, l->ins, l->outs);
	for (size_t i = 0; i < l->args; i++)
		if (!model_line_arg(def, l->arg[i].key) &&
		    !among("name when", l->arg[i].key))
			build_fail(b, "it has no argument '%s'", l->arg[i].key);
	if (b->failed)
		return;
	e->call[e->calls++] = at;
	if (model_line_arg(l, "name")) {
		char *name = build_text(b, arg_text(b, "name"));

		push_path(b, name);
		free(name);
	}
	for (size_t i = 0; i < l->ins; i++) {
		uint32_t value = operand(e, l, i);

		*VEC_ADD(e->name, e->names, e->name_cap) =
		    (struct name){ str_copy(def->in[i]), value };
	}
	e->frame = names;
	push_params(e, l, def, symbols);
	run(e, at + 1, def->end);
	if (b->failed && e->calls == 1) {
		size_t len = strlen(b->fault.text);

		(void)snprintf(b->fault.text + len, sizeof(b->fault.text) - len,
		    " (in %s of %s:%" PRIu64 ")", l->word, l->file, l->number);
	}
	b->line = l;
	uint32_t made[BACKEND_INS];
	for (size_t i = 0; i < l->outs && i < COUNT(made); i++) {
		struct name *name = b->failed ? NULL : find_name(e, def->out[i]);

		made[i] = name ? name->value : (uint32_t)GRAPH_NONE;
		if (!name)
			build_fail(b, "it does not make '%s'", def->out[i]);
	}
	drop_names(e, names);
	e->frame = name_frame;
	b->symbols = symbols;
	b->frame = frame;
	b->globals = globals;
	pop_path(b, path);
	e->calls--;
	for (size_t i = 0; i < l->outs && i < COUNT(made) && !b->failed; i++) {
		char *text = build_text(b, l->out[i]);

		if (strcmp(text, "-") != 0)
			bind_name(e, text, made[i]);
		free(text);
	}
}

static void run_repeat(struct expansion *e, const struct model_line *l)
{
	struct builder *b = &e->b;
	size_t at = (size_t)(l - e->m->list.line), symbols = b->symbols, path = b->path.len;

	check_args(e, l, "times");
	if (l->outs != 1)
		build_fail(b, "it needs the name of its number under out");
	int64_t times = arg_whole(b, "times", -1, 0);
	if (times < 0)
		build_fail(b, "it needs times=");
	char *name = arg_text(b, "name") ? build_text(b, arg_text(b, "name")) : NULL;
	for (int64_t i = 0; i < times && !b->failed; i++) {
		build_push_symbol(b, l->out[0], (double)i);
		if (name) {
			char *step = str_format("%s.%lld", name, (long long)i);

			push_path(b, step);
			free(step);
		}
		run(e, at + 1, l->end);
		b->line = l;
		b->symbols = symbols;
		pop_path(b, path);
		if (++e->lines_run > LINES_RUN_MAX)
			build_fail(b, "more than %d lines are run", LINES_RUN_MAX);
	}
	free(name);
}

/* A symbol of the list takes the value that was given, if one was. */
static void run_symbol(struct expansion *e, const struct model_line *l)
{
	struct builder *b = &e->b;

	if (e->calls || b->path.len)
		build_fail(b, "it stands within a block");
	double value = arg_number(b, "value", 0);
	for (size_t i = 0; i < e->params; i++)
		if (strcmp(e->param[i].name, l->out[0]) == 0)
			(void)units_number(e->param[i].value, &value, &b->fault);
	build_push_symbol(b, l->out[0], value);
}

/* A name for a formula; a name that the block has already gets a new value. */
static void run_let(struct expansion *e, const struct model_line *l)
{
	struct builder *b = &e->b;

	check_args(e, l, "value");
	if (l->outs != 1 || !model_line_arg(l, "value")) {
		build_fail(b, "it needs a name and value=");
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

/* What the shapes alone do not tell: a context that is too long, say. */
static void run_require(struct expansion *e, const struct model_line *l)
{
	check_args(e, l, "value");
	if (!arg_flag(&e->b, "value", false)) {
		char *text = build_text(&e->b, l->note);

		build_fail(&e->b, "%s", text);
		free(text);
	}
}

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
		run_word(e, l, word);
		return;
	}
	const struct model_line *def = find_definition(e, l->word);
	if (def)
		call(e, l, def);
	else
		build_fail(b, "there is no such word");
}

static void run(struct expansion *e, size_t from, size_t to)
{
	struct builder *b = &e->b;

	if (++e->depth > 4 * DEPTH_MAX)
		build_fail(b, "too many blocks in each other");
	for (size_t i = from; i < to && !b->failed; i++) {
		const struct model_line *l = &e->m->list.line[i];

		b->line = l;
		if (++e->lines_run > LINES_RUN_MAX)
			build_fail(b, "more than %d lines are run", LINES_RUN_MAX);
		if (strcmp(l->word, "def") != 0)
			run_line(e, l);
		if (l->end)
			i = l->end;
	}
	e->depth--;
}

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

/* Every value given must be of a symbol that there is, and a number. */
static int check_params(
    const struct model *m, const struct binding *param, size_t params, struct fault *f)
{
	for (size_t i = 0; i < params; i++) {
		size_t k = 0;
		double value;

		while (k < m->symbols && strcmp(m->symbol[k].name, param[i].name) != 0)
			k++;
		if (k < m->symbols && units_number(param[i].value, &value, f) == 0)
			continue;
		if (k < m->symbols)
			return -1;
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

/* One symbol's value now, or what it is otherwise. */
static double symbol_or(const struct builder *b, const char *name, double otherwise)
{
	double value;

	return build_symbol(b, name, &value) ? value : otherwise;
}

int model_expand(const struct model *m, const struct binding *param, size_t params,
    enum model_phase phase, enum backend_dtype dtype, struct graph *out, struct fault *f)
{
	struct expansion e = { .m = m, .param = param, .params = params };
	struct builder *b = &e.b;
	const struct model_line *first = &m->list.line[m->from - 1];
	double new_tokens = 0;

	*out = (struct graph){ 0 };
	if (check_params(m, param, params, f) < 0)
		return -1;
	for (size_t i = 0; i < m->symbols; i++)
		if (strcmp(m->symbol[i].name, "new_tokens") == 0)
			new_tokens = m->symbol[i].value;
	for (size_t i = 0; i < params; i++)
		if (strcmp(param[i].name, "new_tokens") == 0 &&
		    units_number(param[i].value, &new_tokens, f) < 0)
			return -1;
	b->g = out;
	b->dtype = dtype;
	b->stepping = phase == MODEL_STEP;
	b->generating = m->generates && new_tokens > 0;
	b->line = first;
	if (b->stepping && !b->generating)
		build_fail(b, "it has no steps unless new_tokens is above 0");
	build_push_symbol(b, "step", b->stepping);
	run(&e, m->from, m->to);
	if (!b->failed && !out->nodes)
		build_fail(b, "there is no operation in it");
	drop_names(&e, 0);
	free(e.name);
	if (!b->failed && b->stepping)
		graph_prune(out, b->once);
	out->samples = symbol_or(b, "batch", 1);
	out->tokens = b->stepping ? out->samples : out->samples * symbol_or(b, "seq", 0);
	if (b->failed) {
		graph_free(out);
		model_line_fault(b->failed_line, f, b->fault.text);
	} else
		sum_up(out);
	int status = b->failed ? -1 : 0;
	build_free(b);
	return status;
}
