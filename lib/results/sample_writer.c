/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns samples into rows. A row is built once, as cells by column id, and written to
 * each open outlet.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "host/host.h"
#include "record/collect.h"
#include "record/each_metrics.h"
#include "record/provenance.h"
#include "record/row_cell.h"
#include "results/output_stream.h"
#include "results/run_results.h"
#include "results/sample_writer.h"
#include "summary/summary.h"
#include "sys/interrupt.h"
#include "sys/kernel_files.h"
#include "sys/temp_file.h"

enum { TO_CALLER, TO_OUTPUT, TO_SAMPLES, TO_RESULTS, OUTLETS };

struct sample_writer {
	struct sample_writer_opts config;
	struct schema schema;
	struct text *cell; /* by column id */
	struct row row;
	struct each_metrics each;
	size_t *order; /* the columns in the order of the output */
	struct cell *out;
	struct render *outlet[OUTLETS]; /* NULL: closed */
	struct output_stream *output;   /* NULL: without -o */
	char *partial; /* the path of the output if it could not be completed, or NULL */
	int broken;    /* errno, if a write failed or there is no room for more; else 0 */
	struct run_dir *dir; /* NULL: without -d */
	FILE *samples;       /* samples.csv in the directory */
	struct run_results *results;
	struct groups *groups;
	struct collect *collect;    /* NULL: no summary is needed */
	struct noise_floor *floors; /* of the groups; NULL: without brief or --aa */
	struct host host;
	char run[PROVENANCE_RUN_MAX], env[HOST_HASH_SIZE], host_name[HOST_NAME_SIZE];
	char *commit;
	const struct subject *subject;        /* of the current sample */
	size_t device, worker, operation, part, aa; /* columns, with these options */
	int64_t begun_ns;
	bool opened;
	uint64_t rows; /* number written */
};

/*
 * Adds a column that belongs to an option. Returns 0, or -1 and the message if its name
 * is used.
 */
static int add_column(struct sample_writer *e, const char *option, const char *name,
    size_t *out, struct fault *f)
{
	if (schema_find(&e->schema, text_of(name)) >= 0)
		return fault_set(f,
		    "%s adds the column '%s', but a label or parameter has this name; "
		    "rename it",
		    option, name);
	*out = schema_add(&e->schema, text_of(name));
	return 0;
}

/* Adds the column of GPUs. Kernels and models have a factor of this name. */
static int add_device(struct sample_writer *e, struct fault *f)
{
	const struct subjects *list = e->config.subjects;
	long factor = -1;

	for (size_t i = 0; i < list->count; i++)
		if (list->subject[i].work)
			factor = schema_find(&e->schema, TEXT("device"));
	if (factor < 0)
		return add_column(e, "--gpu", "device", &e->device, f);
	e->device = (size_t)factor;
	return 0;
}

static int learn_columns(struct sample_writer *e, struct fault *f)
{
	const struct sample_writer_opts *c = &e->config;

	schema_init(&e->schema);
	for (size_t i = 0; i < c->subjects->count; i++)
		for (size_t j = 0; j < c->subjects->subject[i].factors; j++)
			schema_add(
			    &e->schema, text_of(c->subjects->subject[i].factor[j].name));
	for (size_t i = 0; i < c->labels; i++)
		schema_add(&e->schema, text_of(c->label[i].name));
	if (c->gpu && add_device(e, f) < 0)
		return -1;
	if (c->workers && add_column(e, "-J", "worker", &e->worker, f) < 0)
		return -1;
	if (c->subjects->twins && add_column(e, "--aa", COLUMN_AA, &e->aa, f) < 0)
		return -1;
	if (c->ops && add_column(e, "--ops", "operation", &e->operation, f) < 0)
		return -1;
	if (c->part && add_column(e, "--per", c->part, &e->part, f) < 0)
		return -1;
	e->cell = mem_zero(e->schema.count, sizeof(*e->cell));
	e->out = mem_zero(e->schema.count, sizeof(*e->out));
	e->order = mem_zero(e->schema.count, sizeof(*e->order));
	schema_order(&e->schema, e->order);
	e->row = (struct row){ .schema = &e->schema,
		.cell = e->cell,
		.process = ROW_NONE,
		.t = ROW_NONE,
		.iterations = 1 };
	return 0;
}

static struct render *open_outlet(struct sample_writer *e, const struct output *out)
{
	struct render_column *columns = mem_zero(e->schema.count, sizeof(*columns));
	struct render *r;

	for (size_t i = 0; i < e->schema.count; i++)
		columns[i].name = e->schema.name[e->order[i]];
	r = render_open(out, columns, e->schema.count);
	free(columns);
	return r;
}

static void set_provenance(struct sample_writer *e)
{
	e->cell[COL_RUN] = text_of(e->run);
	e->cell[COL_HOST] = text_of(e->host_name);
	e->cell[COL_ENV] = text_of(e->env);
	e->cell[COL_COMMIT] = text_of(e->commit);
	for (size_t i = 0; i < e->config.labels; i++)
		e->cell[schema_add(&e->schema, text_of(e->config.label[i].name))] =
		    text_of(e->config.label[i].value);
}

static int open_dir(struct sample_writer *e, struct fault *f)
{
	if (!e->config.dir)
		return 0;
	e->dir = run_dir_open(e->config.dir, e->begun_ns, f);
	e->samples = e->dir ? run_dir_create(e->dir, "samples.csv", f) : NULL;
	return e->samples ? 0 : -1;
}

/* Fills in the columns that are equal in all rows. */
static void begin_run(struct sample_writer *e)
{
	provenance_run(e->run);
	host_env_hash(&e->host, e->env);
	host_name(e->host_name);
	e->commit = str_copy(e->config.commit);
	set_provenance(e);
}

/* Opens the files of the directory and of -o. Returns 0, or -1 and the message. */
static int open_files(struct sample_writer *e, struct fault *f)
{
	const char *output = e->config.output;

	if (e->dir &&
	    !(e->results = run_results_open(e->dir, e->cell, e->begun_ns, &e->host, f)))
		return -1;
	if (output && !(e->output = output_stream_open(output, TEMP_FILE_OUTPUT, f)))
		return -1;
	return 0;
}

/* Begins the outputs of rows. A table gets no rows, but a summary. */
static void open_outlets(struct sample_writer *e)
{
	const enum render_format format = e->config.out.format;
	const bool table = format == RENDER_TABLE;

	if (e->output)
		e->outlet[TO_OUTPUT] = open_outlet(e,
		    &OUTPUT_OF(output_stream_file(e->output), table ? RENDER_CSV : format));
	else if (!table)
		e->outlet[TO_CALLER] = open_outlet(e, &e->config.out);
	if (!e->dir)
		return;
	e->outlet[TO_SAMPLES] = open_outlet(e, &OUTPUT_OF(e->samples, RENDER_CSV));
	e->outlet[TO_RESULTS] =
	    open_outlet(e, &OUTPUT_OF(run_results_file(e->results), RENDER_JSON));
}

/* Begins to collect the samples, if a summary is wanted. */
static void open_summary(struct sample_writer *e)
{
	const struct sample_writer_opts *c = &e->config;

	if (c->out.format == RENDER_TABLE || c->brief || e->dir) {
		e->groups =
		    groups_open(&e->schema, &(struct group_by){ .provenance = false });
		e->collect = collect_open(e->groups, c->brief ? COLLECT_IDENTITY : 0);
	}
	if (c->brief && c->subjects->twins)
		e->floors = noise_floor_open(&e->schema);
}

/* Checks the names, and reads the facts of the machine. Returns 0, or -1 and the message.
 */
static int prepare_columns(struct sample_writer *e, struct fault *f)
{
	const struct sample_writer_opts *c = &e->config;

	if (learn_columns(e, f) < 0 ||
	    output_metrics_check(c->extract, c->extracts, c->counters, c->energy, f) < 0)
		return -1;
	if (open_dir(e, f) < 0 || each_metrics_has(&e->each, TEXT("wall"), f) < 0)
		return -1;
	return host_read(&e->host, kernel_files_root(), HOST_STABLE, f);
}

struct sample_writer *sample_writer_open(
    const struct sample_writer_opts *config, struct fault *f)
{
	struct sample_writer *e = mem_zero(1, sizeof(*e));
	int status;

	e->config = *config;
	e->begun_ns = clock_realtime_ns();
	status = prepare_columns(e, f);
	if (status == 0) {
		begin_run(e);
		status = open_files(e, f);
	}
	if (status < 0) {
		sample_writer_close(e, NULL, f);
		return NULL;
	}
	open_outlets(e);
	e->opened = true;
	open_summary(e);
	return e;
}

/* Writes the current row to all outlets. */
static void write_row(struct sample_writer *e)
{
	for (size_t i = 0; i < e->schema.count; i++)
		e->out[i] = row_cell(&e->row, e->order[i]);
	for (size_t i = 0; i < OUTLETS; i++)
		if (e->outlet[i])
			render_row(e->outlet[i], e->out);
}

const struct host *sample_writer_host(const struct sample_writer *e)
{
	return &e->host;
}

const char *sample_writer_run(const struct sample_writer *e)
{
	return e->run;
}

/* Collects the current row, which is one of half of a subject, for its noise floor. */
static void collect_half(struct sample_writer *e)
{
	size_t group = groups_find(e->groups, &e->row);
	struct row part = row_part_twins(&e->row);

	noise_floor_row(e->floors, &e->row, group, false);
	collect_into(e->collect, group, &part);
}

static void put_row(struct sample_writer *e)
{
	e->rows++;
	write_row(e);
	if (e->floors)
		collect_half(e);
	else if (e->collect)
		collect_row(e->collect, &e->row);
}

/* Buffers for a worker's number and for a status that is not constant. */
struct row_text {
	char worker[24], status[RUN_STATUS_MAX];
};

/* Sets the columns that belong to options. */
static void set_part(
    struct sample_writer *e, const struct sample_value *v, struct row_text *text)
{
	if (e->config.workers)
		e->cell[e->worker] = (struct text){ text->worker,
			v->worker == ROW_NONE
			    ? 0
			    : (size_t)snprintf(text->worker, sizeof(text->worker),
			          "%" PRId64, v->worker) };
	if (e->config.ops)
		e->cell[e->operation] = text_of(v->operation ? v->operation : "");
	if (e->config.part)
		e->cell[e->part] = text_of(v->part ? v->part : "");
	if (e->config.gpu && !e->subject->work)
		e->cell[e->device] = text_of(v->device ? v->device : "");
}

/* Writes one value of a sample whose common cells are set. */
static void emit_row(struct sample_writer *e, const struct sample_value *v)
{
	struct row_text text;

	e->cell[COL_METRIC] = text_of(v->metric);
	e->cell[COL_UNIT] = text_of(v->unit);
	e->cell[COL_STATUS] = text_of(run_status_text(v->status, text.status));
	set_part(e, v, &text);
	e->row.ok = run_is_ok(v->status);
	e->row.has_value = !isnan(v->value);
	e->row.value = v->value;
	e->row.has_running_pct = v->running_pct < 100;
	e->row.running_pct = v->running_pct;
	e->row.t = v->t_ns;
	each_metrics_mark(&e->each, &e->row, NULL); /* the table is read */
	e->row.iterations = v->iterations ? (int64_t)v->iterations : ROW_NONE;
	put_row(e);
}

static void set_subject(struct sample_writer *e, const struct subject *s)
{
	e->subject = s;
	e->cell[COL_KIND] = text_of(subject_kinds[s->from->kind]);
	e->cell[COL_BENCH] = text_of(s->from->bench);
	for (size_t i = COL_FACTORS; i < e->schema.count; i++)
		e->cell[i] = (struct text){ 0 };
	set_provenance(e);
	e->row.aa = s->aa;
	if (s->aa)
		e->cell[e->aa] = (struct text){ &s->aa, 1 };
	for (size_t i = 0; i < s->factors; i++)
		e->cell[schema_add(&e->schema, text_of(s->factor[i].name))] =
		    text_of(s->factor[i].value);
}

void sample_writer_sample(struct sample_writer *e, const struct run_sample *s)
{
	char time[PROVENANCE_TIME_MAX];

	set_subject(e, s->subject);
	e->cell[COL_TIME] = (struct text){ time, provenance_time(time, s->begin_ns) };
	e->row.process = s->process;
	e->row.sample = s->number;
	for (size_t i = 0; i < s->values; i++)
		emit_row(e, &s->value[i]);
}

void sample_writer_end_mark(struct sample_writer *e)
{
	char time[PROVENANCE_TIME_MAX];

	for (size_t i = 0; i < e->schema.count; i++)
		if (column_kind(i) != COLUMN_PROVENANCE)
			e->cell[i] = (struct text){ 0 };
	e->cell[COL_TIME] =
	    (struct text){ time, provenance_time(time, clock_realtime_ns()) };
	e->cell[COL_METRIC] = TEXT(END_MARK_METRIC);
	e->cell[COL_UNIT] = TEXT("1");
	e->cell[COL_STATUS] = TEXT("ok");
	e->row.has_value = true;
	e->row.value = (double)e->rows;
	e->row.has_running_pct = false;
	e->row.process = e->row.sample = e->row.t = e->row.iterations = ROW_NONE;
	write_row(e);
}

static const char *outlet_name(const struct sample_writer *e, size_t outlet)
{
	return outlet == TO_CALLER   ? "standard output"
	       : outlet == TO_OUTPUT ? e->config.output
	                             : run_dir_path(e->dir);
}

int sample_writer_flush(struct sample_writer *e, struct fault *f)
{
	/* Standard output comes last: its reader may pause. */
	for (size_t i = OUTLETS; i-- > 0;)
		if (e->outlet[i] && render_flush(e->outlet[i]) < 0) {
			e->broken = errno;
			if (errno != EPIPE)
				return fault_errno(f, "%s", outlet_name(e, i));
			interrupt_request(SIGPIPE);
			return 0;
		}
	if (e->output && e->rows)
		output_stream_name_partial(e->output);
	return 0;
}

int sample_writer_reserve(struct sample_writer *e, struct fault *f)
{
	if (!e->output || output_stream_reserve(e->output) == 0)
		return 0;
	e->broken = errno;
	return fault_errno(f, "%s", e->config.output);
}

static int print_summary(struct sample_writer *e, const struct output *out)
{
	struct summary_opts all = { .inference.confidence = e->config.confidence };

	return summary_print(e->groups, e->collect, &all, out);
}

static int print_results_summary(void *writer, FILE *out)
{
	return print_summary(writer, &OUTPUT_OF(out, RENDER_JSON));
}

/* Prints the lines for people. They need the values in the order of the samples, which a
 * summary sorts. */
static int print_brief(struct sample_writer *e, struct fault *f)
{
	struct brief_opts opts = *e->config.brief;
	struct buf lines = { 0 };
	int status = 0;

	if (e->floors)
		noise_floor_finish(e->floors, true);
	opts.floors = e->floors;
	brief_put(&lines, e->groups, e->collect, e->each.table, &opts);
	if (lines.len && opts.verbose)
		buf_byte(&lines, '\n');
	if (lines.len && fwrite(lines.ptr, 1, lines.len, e->config.out.file) != lines.len)
		status = fault_errno(f, "standard output");
	buf_free(&lines);
	return status;
}

/* Completes the directory of the run; status is that of the writes so far. */
static int finish_dir(struct sample_writer *e, int status, struct fault *f)
{
	FILE *summary;
	struct fault more;

	/* An earlier failure has its message already. */
	if (run_dir_end(
	        e->dir, e->samples, status, "samples.csv", status < 0 ? &more : f) < 0)
		return -1;
	summary = run_dir_create(e->dir, "summary.csv", f);
	if (!summary ||
	    run_dir_end(e->dir, summary, print_summary(e, &OUTPUT_OF(summary, RENDER_CSV)),
	        "summary.csv", f) < 0 ||
	    run_results_end(e->results, print_results_summary, e, f) < 0)
		return -1;
	return run_dir_env(e->dir, &e->host, e->env, f);
}

/* Ends an outlet, and the file of -o, which is not replaced without a row, or by some of
 * the rows, as when another outlet ended the run. Returns 0, or -1 and the message. */
static int end_outlet(struct sample_writer *e, size_t outlet, struct fault *f)
{
	struct output_stream *output = e->output;
	int status = render_close(e->outlet[outlet]);

	if (outlet != TO_OUTPUT)
		return status < 0 ? fault_errno(f, "%s", outlet_name(e, outlet)) : 0;
	e->output = NULL;
	if (status == 0 && (errno = e->broken))
		status = -1;
	if (status == 0 && !e->rows) {
		output_stream_discard(output);
		return 0;
	}
	return output_stream_end(
	    output, status, e->rows ? &e->partial : NULL, outlet_name(e, outlet), f);
}

/* Closes the outlets and writes the end of each. */
static int finish(struct sample_writer *e, struct fault *f)
{
	struct output table = e->config.out;
	struct fault more;
	int status = 0;

	table.format = RENDER_TABLE;
	for (size_t i = OUTLETS; i-- > 0;)
		if (e->outlet[i] && end_outlet(e, i, status < 0 ? &more : f) < 0)
			status = -1;
	if (e->collect)
		collect_finish(e->collect);
	if (e->config.brief && status == 0)
		status = print_brief(e, f);
	if (status == 0 &&
	    (e->config.brief ? e->config.brief->verbose
	                     : e->config.out.format == RENDER_TABLE) &&
	    print_summary(e, &table) < 0)
		status = fault_errno(f, "standard output");
	return e->dir ? finish_dir(e, status, f) : status;
}

int sample_writer_close(struct sample_writer *e, char **partial, struct fault *f)
{
	if (!e)
		return 0;
	const int status = e->opened ? finish(e, f) : 0;
	if (partial)
		*partial = e->partial;
	noise_floor_close(e->floors);
	collect_close(e->collect);
	groups_close(e->groups);
	schema_free(&e->schema);
	host_free(&e->host);
	free(e->cell);
	free(e->out);
	free(e->order);
	output_stream_discard(e->output);
	run_results_close(e->results);
	run_dir_close(e->dir);
	free(e->commit);
	each_metrics_free(&e->each);
	free(e);
	return status;
}
