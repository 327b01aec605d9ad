/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets inputs; see whole_feed.h.
 */
#include <stdlib.h>
#include <string.h>

#include "helper_io.h"
#include "port/port_mask.h"
#include "port/port_shape.h"
#include "port/port_source.h"
#include "port/port_store.h"
#include "whole_feed.h"
#include "whole_inputs.h"

/* The work of opening a feed. */
struct feeding {
	struct whole_feed *feed;
	const struct whole_feed_opts *opts;
	size_t inputs;              /* of the model; they precede its outputs */
	struct port_source *source; /* by input; those without one have no files */
};

static _Noreturn void give_up(const struct fault *f)
{
	helper_give_up(HELPER_FAILED, "%s", f->text);
}

/* Returns the source that --input gives for an input, or NULL. */
static const char *spec_of(const struct feeding *g, const char *name)
{
	const struct exported_list_opts *c = g->opts->config;

	for (size_t i = 0; i < c->inputs; i++)
		if (strcmp(c->input[i].name, name) == 0)
			return c->input[i].path;
	return NULL;
}

/* Returns the number of the input that masks an input of tokens, or `inputs`. */
static size_t mask_of(const struct feeding *g, size_t tokens)
{
	const struct exported_list_opts *c = g->opts->config;

	return port_mask_of(g->feed->pass->port, g->inputs, tokens, c->param, c->params);
}

static void find_sizes(
    const struct feeding *g, size_t number, int64_t size[BACKEND_PORT_DIMS])
{
	const struct exported_list_opts *c = g->opts->config;
	struct fault f;

	if (port_sizes(&g->feed->pass->port[number], c->param, c->params, size, &f) < 0)
		give_up(&f);
}

/* Returns the number of rows of the table from which an input selects, or 0. */
static double table_rows(const struct graph *known, const char *input)
{
	const uint32_t number = known ? graph_find(known, input) : GRAPH_NONE;

	return number != GRAPH_NONE && known->value[number].fill == FILL_BELOW
	           ? known->value[number].spread
	           : 0;
}

/* Opens the source of an input, if it has one. */
static void open_source(struct feeding *g, size_t number)
{
	const struct backend_port *p = &g->feed->pass->port[number];
	const char *spec = spec_of(g, p->name);
	int64_t size[BACKEND_PORT_DIMS];
	struct port_source_opts opts = { .port = p,
		.size = size,
		.rows = table_rows(g->opts->known, p->name),
		.has_mask = mask_of(g, number) < g->inputs };
	struct fault f;

	if (!spec)
		return;
	find_sizes(g, number, size);
	if (port_source_open(spec, &opts, &g->source[number], &f) < 0)
		give_up(&f);
}

/* Appends the masks of all batches of an input of tokens. */
static void append_masks(
    const struct port_source *tokens, const struct backend_port *mask, struct buf *out)
{
	const size_t count = port_elements(tokens->size, tokens->opts.port->dims);
	double *x = mem_zero(count + 1, sizeof(*x));

	for (size_t i = 0; i < tokens->batches; i++) {
		port_source_mask(tokens, i, x);
		port_store(mask, x, count, out);
	}
	free(x);
}

/* Appends the elements of an input of a model file. */
static void append_elements(
    struct feeding *g, size_t number, const int64_t *size, struct buf *out)
{
	const struct backend_port *p = &g->feed->pass->port[number];
	const struct port_source *s = &g->source[number];
	struct fault f;

	for (size_t i = 0; i < s->batches; i++)
		if (port_source_read(s, i, out, &f) < 0)
			give_up(&f);
	if (s->files)
		return;
	for (size_t i = 0; i < g->inputs; i++)
		if (g->source[i].kind == PORT_SEQUENCES && mask_of(g, i) == number) {
			append_masks(&g->source[i], p, out);
			g->feed->masks =
			    g->feed->masks || port_source_is_padded(&g->source[i]);
			return;
		}
	const struct exported_list_opts *c = g->opts->config;
	const int set = whole_input_number(p, size, c->param, c->params, out, &f);
	if (set < 0)
		give_up(&f);
	if (set > 0)
		return;
	if (whole_input_draw(p, size, g->opts->config->seed, g->opts->known, out, &f) < 0)
		give_up(&f);
}

/* Prepares an input, and sets its first batch. */
static void prepare_input(struct feeding *g, size_t number)
{
	struct whole_pass *pass = g->feed->pass;
	const struct backend_port *p = &pass->port[number];
	struct whole_feed_input in = { .port = number };
	struct fault f;

	find_sizes(g, number, in.size);
	in.bytes = port_elements(in.size, p->dims) * p->element_bytes;
	if (!pass->list)
		append_elements(g, number, in.size, &in.elements);
	else if (exported_list_draw(pass->list, p, &in.elements, &f) < 0)
		give_up(&f);
	if (in.elements.len > in.bytes && in.bytes) {
		whole_pass_set(pass, number, in.size, in.elements.ptr, in.bytes);
		*VEC_ADD(g->feed->input, g->feed->inputs, g->feed->cap) = in;
		return;
	}
	whole_pass_set(pass, number, in.size, in.elements.ptr, in.elements.len);
	buf_free(&in.elements);
}

void whole_feed_open(
    struct whole_feed *feed, struct whole_pass *pass, const struct whole_feed_opts *opts)
{
	struct feeding g = { .feed = feed, .opts = opts };

	*feed = (struct whole_feed){ .pass = pass };
	while (g.inputs < pass->ports && !pass->port[g.inputs].output)
		g.inputs++;
	g.source = mem_zero(g.inputs + 1, sizeof(*g.source));
	for (size_t i = 0; i < g.inputs && !pass->list; i++)
		open_source(&g, i);
	for (size_t i = 0; i < g.inputs; i++)
		prepare_input(&g, i);
	for (size_t i = 0; i < g.inputs; i++)
		port_source_free(&g.source[i]);
	free(g.source);
}

void whole_feed_close(struct whole_feed *feed)
{
	for (size_t i = 0; i < feed->inputs; i++)
		buf_free(&feed->input[i].elements);
	free(feed->input);
}

void whole_feed_next(struct whole_feed *feed)
{
	const uint64_t turn = feed->turn++;

	for (size_t i = 0; turn && i < feed->inputs; i++) {
		const struct whole_feed_input *in = &feed->input[i];
		const size_t batches = in->elements.len / in->bytes;

		whole_pass_set(feed->pass, in->port, in->size,
		    in->elements.ptr + turn % batches * in->bytes, in->bytes);
	}
}
