/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a figure of generated tokens; see figure_tokens.h. If there are many requests, the
 * lanes are requests at even distances in the input, because the first ones are often
 * slower than the others.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure_tokens.h"
#include "figure/group_labels.h"
#include "figure/token_requests.h"
#include "load/slo.h"
#include "text/plural.h"

/* Lanes of a plot, and places of each lane that are told apart. */
enum { LANES_MOST = 24, PLACES = 2 * FIGURE_COLUMNS };

struct token_making {
	const struct figure_kind *kind;
	const struct figure_opts *opts;
	struct token_requests *all;
	double limit_ns[2]; /* of the first token and of the times between tokens */
	struct tokens_figure *own;
	size_t cap;
	struct group_labels naming; /* of the subjects that have requests */
};

static void *tokens_open(const struct figure_kind *kind, const struct schema *schema,
    const struct figure_opts *opts)
{
	struct token_making *m = mem_zero(1, sizeof(*m));

	m->kind = kind;
	m->opts = opts;
	m->all = token_requests_open(schema);
	m->naming = (struct group_labels){ .groups = m->all->subjects, .utf8 = opts->utf8 };
	return m;
}

static int tokens_row(void *ctx, const struct row *row, struct fault *f)
{
	struct token_making *m = ctx;

	return token_requests_row(m->all, row, f);
}

static void tokens_close(void *ctx)
{
	struct token_making *m = ctx;

	token_requests_close(m->all);
	free(m->naming.group);
	free(m);
}

static double token_limit(const struct token_making *m, size_t token)
{
	return m->limit_ns[token > 0];
}

/* Returns whether a request exceeds the limit of the first token, or, if later, of the
 * times between tokens. */
static bool breaks_limit(
    const struct token_making *m, const struct token_times *r, bool later)
{
	for (size_t i = later ? 1 : 0; i < (later ? r->tokens : 1); i++)
		if (r->step_ns[i] > token_limit(m, i))
			return true;
	return false;
}

/* Returns the name of a request: the numbers that differ between requests. */
static char *request_name(const struct token_making *m, const struct token_times *r)
{
	const struct token_requests *all = m->all;
	bool processes = false, samples = false, iterations = false;
	struct buf b = { 0 };

	for (size_t i = 0; i < all->count; i++) {
		processes = processes || all->request[i].process != r->process;
		samples = samples || all->request[i].sample != r->sample;
		iterations = iterations || all->request[i].iteration != r->iteration;
	}
	if (processes && r->process != ROW_NONE)
		buf_printf(&b, "process %" PRId64, r->process);
	if (r->sample != ROW_NONE && (samples || (!processes && !iterations)))
		buf_printf(&b, "%ssample %" PRId64, b.len ? ", " : "", r->sample);
	if (iterations || !b.len)
		buf_printf(&b, "%siteration %zu", b.len ? ", " : "", r->iteration);
	return b.ptr;
}

/* Adds a lane with the tokens of a request. */
static void add_lane(struct token_making *m, size_t series, const struct token_times *r)
{
	struct token_lane *lane = VEC_ADD(m->own->lane, m->own->lanes, m->cap);
	double at = 0;

	*lane = (struct token_lane){
		.series = series, .label = request_name(m, r), .tokens = r->tokens
	};
	lane->mark = mem_zero(r->tokens, sizeof(*lane->mark));
	lane->marks = r->tokens;
	for (size_t i = 0; i < r->tokens; i++) {
		bool late = r->step_ns[i] > token_limit(m, i);

		lane->mark[i] = (struct token_mark){ at, at + r->step_ns[i], late };
		at = lane->mark[i].at_ns;
		m->own->late = m->own->late || late;
	}
}

/* Adds the lanes of a subject: at most this many of its requests, at even distances. */
static void add_lanes(struct token_making *m, size_t series, size_t most)
{
	const struct token_requests *all = m->all;
	size_t own = 0, seen = 0, taken = 0;

	for (size_t i = 0; i < all->count; i++)
		own += all->request[i].subject == m->naming.group[series];
	most = most < own ? most : own;
	for (size_t i = 0; i < all->count && taken < most; i++) {
		if (all->request[i].subject != m->naming.group[series])
			continue;
		if (seen++ == (most > 1 ? taken * (own - 1) / (most - 1) : 0)) {
			add_lane(m, series, &all->request[i]);
			taken++;
		}
	}
}

static double end_of(const struct token_lane *lane)
{
	return lane->mark[lane->marks - 1].at_ns;
}

/* Leaves out tokens in the place of the token before, except those that are late and the
 * last one. */
static void thin_lane(struct token_lane *lane, double last_ns)
{
	size_t kept = 1;

	for (size_t i = 1; i < lane->marks; i++) {
		const struct token_mark *t = &lane->mark[i];

		if (t->late || i + 1 == lane->marks ||
		    floor(t->at_ns / last_ns * PLACES) !=
		        floor(lane->mark[kept - 1].at_ns / last_ns * PLACES))
			lane->mark[kept++] = *t;
	}
	lane->marks = kept;
}

/* Describes a limit and the requests that exceed it. */
static void explain_limit(struct token_making *m, bool later)
{
	const struct axis_unit u = axis_unit_for(m->limit_ns[later], "ns", m->opts->utf8);
	struct figure *fig = &m->own->common;
	size_t over = 0;

	if (!isfinite(m->limit_ns[later]))
		return;
	for (size_t i = 0; i < m->all->count; i++)
		over += breaks_limit(m, &m->all->request[i], later);
	figure_say(fig, "%s above %.6g %s%s: %zu of %zu requests",
	    later ? "inter_token" : "first_token", m->limit_ns[later] / u.size, u.text,
	    !later && isfinite(fig->limit) ? " (dashed)" : "", over, m->all->count);
}

/* Names the symbols of tokens. */
static void explain_symbols(struct figure *fig, bool single, bool utf8)
{
	if (single)
		figure_say(fig, "%s first token", utf8 ? "◆" : "o");
	else
		figure_say(fig, "%s first token, %s later token", utf8 ? "◆" : "o",
		    utf8 ? "•" : ".");
}

/* Says which requests and tokens are missing. */
static void explain_losses(struct figure *fig, const struct token_requests *all)
{
	if (all->timeouts)
		figure_say(fig, "%zu timed out, left out", all->timeouts);
	if (all->failed > all->timeouts)
		figure_say(fig, "%zu failed, left out", all->failed - all->timeouts);
	if (all->unplaced)
		figure_say(fig, "%zu token%s without a first token, left out",
		    all->unplaced, plural_s(all->unplaced));
	if (fig->thinned)
		figure_say(fig, "tokens in the same place are drawn once");
}

/* Adds the notes on what is drawn and what is missing, and the constant columns. */
static void explain_tokens(struct token_making *m)
{
	struct tokens_figure *own = m->own;
	struct figure *fig = &own->common;
	const struct token_requests *all = m->all;
	const size_t tokens = all->count ? all->request[0].tokens : 0;
	bool single = true, same = true;

	for (size_t i = 0; i < all->count; i++) {
		single = single && all->request[i].tokens == 1;
		same = same && all->request[i].tokens == tokens;
	}
	own->same_tokens = same;
	explain_symbols(fig, single, m->opts->utf8);
	if (own->lanes < all->count)
		figure_say(
		    fig, "%zu of %zu requests, at even distances", own->lanes, all->count);
	else
		figure_say(fig, "%zu request%s", all->count, plural_s(all->count));
	if (same && !single)
		figure_say(fig, "%zu token%s%s", tokens, plural_s(tokens),
		    plural(all->count, "", " each"));
	if (own->late)
		figure_say(fig, "%s late", m->opts->utf8 ? "×" : "x");
	explain_limit(m, false);
	explain_limit(m, true);
	explain_losses(fig, all);
	group_labels_held(&m->naming, fig);
}

static void name_tokens(struct token_making *m)
{
	struct figure *fig = &m->own->common;

	fig->series_count = m->naming.count;
	fig->series = mem_zero(fig->series_count, sizeof(*fig->series));
	for (size_t s = 0; s < fig->series_count; s++)
		fig->series[s] = group_labels_text(&m->naming, s, NULL, true);
	figure_set_title(fig, m->opts, str_copy("generated tokens over time"));
	fig->metric = str_copy("time since the request began");
	fig->unit = str_copy("ns");
	fig->x_name = str_copy("");
}

/* Finds the subjects that have requests. */
static void find_subjects(struct token_making *m)
{
	bool *known = mem_zero(groups_count(m->all->subjects), sizeof(*known));

	for (size_t i = 0; i < m->all->count; i++) {
		size_t subject = m->all->request[i].subject;

		if (!known[subject])
			*VEC_ADD(m->naming.group, m->naming.count, m->naming.cap) = subject;
		known[subject] = true;
	}
	free(known);
}

/* Checks the options and takes their limits. Returns 0, or -1 and the message. */
static int take_limits(struct token_making *m, struct fault *f)
{
	const struct slo *slo = m->opts->slo;

	if (m->opts->filter || m->opts->x)
		return fault_set(f, "tokens draws first_token and inter_token of each "
		                    "subject: omit -x and -y");
	m->limit_ns[0] = slo ? slo_limit_of(slo, TEXT("first_token")) : INFINITY;
	m->limit_ns[1] = slo ? slo_limit_of(slo, TEXT("inter_token")) : INFINITY;
	if (slo && !isfinite(fmin(m->limit_ns[0], m->limit_ns[1])))
		return fault_set(f, "--slo has no limit of first_token or inter_token, "
		                    "which are drawn: add one, such as first_token=200ms");
	return 0;
}

static struct figure *tokens_make(void *ctx, struct fault *f)
{
	const double line_within = 1.5;
	struct token_making *m = ctx;
	double last = 0;

	if (take_limits(m, f) < 0)
		return NULL;
	token_requests_finish(m->all);
	find_subjects(m);
	if (!m->naming.count || m->naming.count > FIGURE_SERIES_MAX) {
		if (m->naming.count)
			fault_set(
			    f, "%zu subjects are too many for a plot", m->naming.count);
		else
			fault_set(f, "no first_token to draw: measure models that generate "
			             "tokens, such as with bench-run -M gpt2 -P "
			             "new_tokens=16");
		return NULL;
	}
	m->own = (struct tokens_figure *)figure_open(m->kind);
	for (size_t s = 0; s < m->naming.count; s++)
		add_lanes(
		    m, s, m->naming.count < LANES_MOST ? LANES_MOST / m->naming.count : 1);
	for (size_t i = 0; i < m->own->lanes; i++)
		last = fmax(last, end_of(&m->own->lane[i]));
	if (m->limit_ns[0] <= line_within * last)
		m->own->common.limit = m->limit_ns[0];
	for (size_t i = 0; i < m->own->lanes; i++) {
		size_t before = m->own->lane[i].marks;

		thin_lane(&m->own->lane[i], last);
		m->own->common.thinned =
		    m->own->common.thinned || m->own->lane[i].marks < before;
	}
	m->own->common.failed = m->all->failed;
	name_tokens(m);
	explain_tokens(m);
	return &m->own->common;
}

const struct figure_source figure_tokens = {
	.open = tokens_open, .row = tokens_row, .make = tokens_make, .close = tokens_close
};
