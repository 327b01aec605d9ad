/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports; see report.h. */
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "io/json_csv.h"
#include "io/json_rows.h"
#include "record/bench_csv.h"
#include "record/metric_filter.h"
#include "record/stream_header.h"
#include "report/report_items_priv.h"
#include "text/markup.h"
#include "text/plural.h"
#include "text/units.h"
#include "text/utf8.h"

enum { METRICS = 4 };

static int see_row(void *ctx, const struct row *row, struct fault *f)
{
	struct report *r = ctx;

	(void)f;
	inventory_row(&r->inventory, row);
	newest_note(&r->newest, row);
	return 0;
}

static struct host *machine_of(struct report *r, struct text env)
{
	for (size_t i = 0; i < r->machines; i++)
		if (text_is(env, r->machine[i].env))
			return &r->machine[i].host;
	*VEC_ADD(r->machine, r->machines, r->machines_cap) =
	    (struct machine){ .env = mem_text(env.ptr, env.len) };
	return &r->machine[r->machines - 1].host;
}

/* Notes a fact; if a fact occurs twice, the last value counts. */
static int see_fact(
    void *ctx, struct text env, struct text fact, struct text value, struct fault *f)
{
	struct report *r = ctx;
	struct host *host = machine_of(r, env);
	char *name;

	(void)f;
	for (size_t i = 0; i < host->count; i++)
		if (text_is(fact, host->fact[i].name)) {
			free(host->fact[i].value);
			host->fact[i].value = mem_text(value.ptr, value.len);
			return 0;
		}
	name = mem_text(fact.ptr, fact.len);
	*VEC_ADD(r->fact, r->facts, r->facts_cap) = name;
	host_add(host, name, NULL, false, value);
	return 0;
}

static int cut_rows(void *ctx, const struct row *row, struct fault *f)
{
	struct report *r = ctx;

	(void)f;
	if (r->again) {
		for (size_t i = 0; i < r->filters; i++)
			report_filter_again(r->filter[i], row);
		return 0;
	}
	report_history_row(r, row);
	report_fastest_row(r->fastest, row);
	for (size_t i = 0; i < r->filters; i++)
		report_filter_row(r->filter[i], row);
	return 0;
}

/* Reads all files into a stream. */
static int read_files(const struct report *r, struct bench_csv *stream, struct fault *f)
{
	const struct report_opts *opts = r->opts;
	int status = 0;

	for (size_t i = 0; i < opts->files && status == 0; i++)
		status = bench_csv_read_text(
		    stream, opts->file[i].name, opts->file[i].in.text, f);
	return status;
}

static int read_input(struct report *r, struct bench_csv *stream, struct fault *f)
{
	if (read_files(r, stream, f) < 0)
		return -1;
	inventory_finish(&r->inventory);
	if (!report_newest(r))
		newest_free(&r->newest);
	if (!bench_csv_has_rows(stream))
		return fault_set(
		    f, "no table of measurements in the input (bench-run writes one)");
	return r->inventory.rows ? 0 : fault_set(f, "no rows in the input");
}

static bool read_whole(struct text column, struct text cell, int64_t *out)
{
	static const char *const names[] = { "process", "sample", "t", "iterations" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (text_is(column, names[i]))
			return integer_parse(cell, out) || stream_whole_number(cell, out);
	return false;
}

/*
 * Joins the files to a stream of several tables for the programs. Each file ends with a
 * newline, and there is no byte order mark between files. JSON becomes CSV, because the two
 * cannot be joined. A single file of CSV is not copied. Returns 0, or -1 and the message.
 */
static int join_files(struct report *r, struct fault *f)
{
	const struct report_opts *opts = r->opts;
	struct buf csv = { 0 };
	int status;

	if (opts->files == 1 && !json_rows_detect(opts->file[0].in.text, true)) {
		r->whole = &opts->file[0].in;
		return 0;
	}
	r->whole = &r->joined;
	status = memory_file_create(&r->joined, f);
	for (size_t i = 0; i < opts->files && status == 0; i++) {
		struct text t = opts->file[i].in.text;

		if (i)
			t = utf8_skip_mark(t);
		csv.len = 0;
		status = json_csv(t, opts->file[i].name, read_whole, &csv, f);
		if (csv.len && csv.ptr[csv.len - 1] != '\n' && i + 1 < opts->files)
			buf_byte(&csv, '\n');
		if (status == 0)
			status = memory_file_add(&r->joined, text_in(&csv), f);
	}
	buf_free(&csv);
	return status == 0 ? memory_file_map(&r->joined, f) : -1;
}

/* Checks that the baseline can be read, before anything runs. */
static int check_baseline(const struct report_file *old, struct fault *f)
{
	static const struct bench_csv_sink nothing = { 0 };
	struct bench_csv *stream = bench_csv_open(&nothing, NULL);
	int status = bench_csv_read_text(stream, old->name, old->in.text, f);

	if (status == 0 && !bench_csv_has_rows(stream))
		status =
		    fault_set(f, "%s: no table of measurements in the baseline", old->name);
	bench_csv_close(stream);
	return status;
}

static void add_metric(struct report *r, const char *name)
{
	for (size_t i = 0; i < r->metrics; i++)
		if (strcmp(r->metric[i], name) == 0)
			return;
	*VEC_ADD(r->metric, r->metrics, r->metrics_cap) = str_copy(name);
}

static bool varies(const struct inventory_metric *m)
{
	return m->rows[ROW_PLAIN] && m->least < m->greatest;
}

/* Chooses the most important metrics first, then others in input order; never a metric that
 * does not vary. */
static void choose_metrics(struct report *r)
{
	static const char *const first[] = { "wall", "latency", "throughput", "token_rate",
		"flop_rate", "max_rss" };
	static const char *const last[] = { "ok", "steady", "lost_samples" };

	for (size_t i = 0; i < COUNT(first) && r->metrics < METRICS; i++) {
		const struct inventory_metric *m =
		    inventory_metric(&r->inventory, first[i]);

		if (m && varies(m))
			add_metric(r, m->name);
	}
	for (size_t i = 0; i < r->inventory.metrics && r->metrics < METRICS; i++) {
		const struct inventory_metric *m = &r->inventory.metric[i];
		bool dull = strncmp(m->name, "peak_", 5) == 0;

		for (size_t k = 0; k < COUNT(last); k++)
			dull = dull || strcmp(m->name, last[k]) == 0;
		if (!dull && varies(m))
			add_metric(r, m->name);
	}
}

/* Chooses the metrics that tables show first: those that are drawn and primary ones.
 * Whether samples succeeded is one only if some did not. */
static void choose_main(struct report *r)
{
	for (size_t i = 0; i < r->inventory.metrics; i++) {
		struct inventory_metric *m = &r->inventory.metric[i];

		for (size_t k = 0; k < r->metrics; k++)
			m->main = m->main || strcmp(m->name, r->metric[k]) == 0;
		for (size_t k = 0; k < m->kinds.count && !m->main && !r->opts->metrics; k++)
			m->main = (strcmp(m->name, "ok") != 0 || varies(m)) &&
			          metrics_primary(r->table, text_of(m->name),
			              intern_text(&m->kinds, k));
	}
}

static int take_metrics(struct report *r, struct fault *f)
{
	const struct report_opts *opts = r->opts;
	struct metric_filter *filter = metric_filter_open(opts->metric, opts->metrics, f);
	int status;

	if (!filter)
		return -1;
	for (size_t i = 0; opts->metrics && i < r->inventory.metrics; i++) {
		const struct inventory_metric *m = &r->inventory.metric[i];

		if (m->rows[ROW_PLAIN] && metric_filter_selects(filter, text_of(m->name)))
			add_metric(r, m->name);
	}
	if (!opts->metrics)
		choose_metrics(r);
	choose_main(r);
	status = metric_filter_check(filter, f);
	metric_filter_close(filter);
	return status;
}

static void plan(struct report *r)
{
	/* Allocate all parts first: items of a part may run before the next part is
	 * planned.
	 */
	r->part = mem_zero(part_rows_count, sizeof(*r->part));
	for (size_t i = 0; i < part_rows_count; i++) {
		struct part *p = &r->part[r->parts];

		if (!part_rows[i].wanted(r))
			continue;
		p->row = &part_rows[i];
		part_rows[i].plan(r, p);
		r->parts++;
	}
}

/* Lists the filters of all items. */
static void list_filters(struct report *r)
{
	for (size_t p = 0; p < r->parts; p++)
		for (size_t i = 0; i < r->part[p].count; i++)
			if (r->part[p].item[i].filter)
				*VEC_ADD(r->filter, r->filters, r->filters_cap) =
				    r->part[p].item[i].filter;
}

/* Ends the filters, and reads the stream again if some of them need it. */
static int finish_filters(struct report *r, struct bench_csv *stream, struct fault *f)
{
	for (size_t i = 0; i < r->filters; i++) {
		report_filter_finish(r->filter[i]);
		r->again = r->again || report_filter_forgot(r->filter[i]);
	}
	return r->again ? read_files(r, stream, f) : 0;
}

static void ready_parts(struct report *r)
{
	for (size_t i = 0; i < r->parts; i++)
		if (r->part[i].row->ready)
			r->part[i].row->ready(r, &r->part[i]);
}

/* The first part is the answer, which follows from the others. */
static void complete_parts(struct report *r)
{
	for (size_t i = r->parts; i-- > 0;)
		if (r->part[i].row->complete)
			r->part[i].row->complete(r, &r->part[i]);
}

static void put_count(
    struct buf *b, const struct intern *in, const char *one, const char *many)
{
	if (in->count > 1)
		buf_printf(b, ", %zu %s", in->count, many);
	else if (in->count == 1 && intern_text(in, 0).len)
		buf_printf(b, ", %s %.*s", one, (int)intern_text(in, 0).len,
		    intern_text(in, 0).ptr);
}

static void put_head(const struct report *r, const char *title, struct buf *page)
{
	const struct inventory *s = &r->inventory;
	struct buf line = { 0 };

	buf_str(page, "<header>\n<h1>");
	markup_text(page, text_of(title));
	buf_str(page, "</h1>\n");
	buf_printf(&line, "%zu value%s", s->counted, plural_s(s->counted));
	put_count(&line, &s->benches, "benchmark", "benchmarks");
	buf_printf(&line, ", %zu %s", s->runs.count, plural(s->runs.count, "run", "runs"));
	put_count(&line, &s->hosts, "host", "hosts");
	put_count(&line, &s->commits, "commit", "commits");
	if (s->first && *s->first)
		buf_printf(&line, ", from %.19s to %.19s%s", s->first, s->last,
		    strchr(s->first, 'Z') && strchr(s->last, 'Z') ? " UTC" : "");
	html_paragraph(page, line.ptr, true);
	buf_str(page, "<nav aria-label=\"parts\">");
	for (size_t i = 0; i < r->parts; i++)
		buf_printf(page, "<a href=\"#%s\">%s</a>\n", r->part[i].row->id,
		    r->part[i].row->title);
	buf_str(page, "<button type=\"button\" id=\"theme\" class=\"needs-script\">dark "
	              "theme</button></nav>\n</header>\n<main>\n");
	buf_free(&line);
}

static void put_part(struct report *r, struct part *p, unsigned *number, struct buf *page)
{
	bool figures = false;

	html_section(page, p->row->id, p->row->title);
	for (size_t i = 0; i < p->count; i++) {
		bool figure = p->item[i].shown == ITEM_FIGURE;

		if (p->item[i].shown == ITEM_ABSENT)
			continue;
		if (figure != figures)
			buf_str(page, figure ? "<div class=\"figures\">\n" : "</div>\n");
		figures = figure;
		report_put_item(r, &p->item[i], ++*number, page);
	}
	if (figures)
		buf_str(page, "</div>\n");
	html_section_end(page);
}

static int put_page(struct report *r, struct buf *page, struct fault *f)
{
	const char *title = r->opts->title ? r->opts->title : "Benchmark report";
	struct buf style = { 0 }, script = { 0 };
	unsigned number = 0;
	int status = share_read("report/report.css", &style, f);

	if (status == 0)
		status = share_read("report/report.js", &script, f);
	if (status == 0) {
		html_begin(
		    page, title, r->opts->theme, text_in(&style));
		put_head(r, title, page);
		for (size_t i = 0; i < r->parts; i++)
			put_part(r, &r->part[i], &number, page);
		buf_str(page, "</main>\n");
		html_end(page, text_in(&script));
	}
	buf_free(&style);
	buf_free(&script);
	return status;
}

/* Reads the input, checks the baseline, and joins the input for the programs. */
static int open_inputs(struct report *r, struct bench_csv *stream, struct fault *f)
{
	const struct report_opts *opts = r->opts;

	r->table = metrics_open(f);
	if (!r->table || read_input(r, stream, f) < 0 ||
	    (opts->baseline && check_baseline(opts->baseline, f) < 0) ||
	    take_metrics(r, f) < 0)
		return -1;
	return join_files(r, f);
}

/* Runs the programs of all parts, and appends the page. */
static int make_page(struct report *r, struct buf *page, struct fault *f)
{
	report_fastest_finish(r->fastest);
	ready_parts(r);
	report_run(r);
	complete_parts(r);
	return put_page(r, page, f);
}

static int make_report(
    struct report *r, struct bench_csv *stream, struct buf *page, struct fault *f)
{
	static const struct bench_csv_sink cuts = { .row = cut_rows };
	struct bench_csv *again;
	int status;

	if (open_inputs(r, stream, f) < 0)
		return -1;
	r->schema = bench_csv_schema(stream);
	again = bench_csv_open(&cuts, r);
	r->coming = bench_csv_schema(again);
	report_history_open(r, again);
	r->fastest = report_fastest_open(r);
	plan(r);
	list_filters(r);
	status = read_files(r, again, f);
	if (status == 0)
		status = report_history_finish(r, f);
	if (status == 0)
		status = finish_filters(r, again, f);
	if (status == 0)
		status = make_page(r, page, f);
	for (size_t i = 0; i < r->parts; i++)
		part_free(&r->part[i]);
	r->parts = 0;
	report_fastest_close(r->fastest);
	history_close(r->history);
	r->history = NULL;
	bench_csv_close(again);
	return status;
}

struct report *report_make(
    const struct report_opts *opts, struct buf *page, struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = see_row, .fact = see_fact };
	struct report *r = mem_zero(1, sizeof(*r));
	struct bench_csv *stream = bench_csv_open(&sink, r);
	int status;

	r->opts = opts;
	r->joined = MEMORY_FILE_NONE;
	status = make_report(r, stream, page, f);
	if (status < 0) {
		report_free(r);
		r = NULL;
	}
	bench_csv_close(stream);
	return r;
}

size_t report_failures(const struct report *r)
{
	return r->failures;
}

const char *report_failure(const struct report *r, size_t i)
{
	return r->failure[i];
}

static void free_texts(char **text, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(text[i]);
	free(text);
}

void report_free(struct report *r)
{
	for (size_t i = 0; i < r->parts; i++)
		part_free(&r->part[i]);
	free(r->part);
	for (size_t i = 0; i < r->machines; i++) {
		free(r->machine[i].env);
		host_free(&r->machine[i].host);
	}
	free(r->machine);
	free_texts(r->fact, r->facts);
	free_texts(r->metric, r->metrics);
	free_texts(r->failure, r->failures);
	inventory_free(&r->inventory);
	newest_free(&r->newest);
	metrics_free(r->table);
	free(r->change);
	memory_file_close(&r->joined);
	free(r->filter);
	free(r);
}
