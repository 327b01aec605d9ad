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
#include "record/each_metrics.h"
#include "record/provenance.h"
#include "record/row_cell.h"
#include "results/output_stream.h"
#include "results/run_results.h"
#include "results/run_summary.h"
#include "results/sample_writer.h"
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
	struct run_summary *summary; /* NULL: not needed */
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
static int add_column(struct sample_writer *w, const char *option, const char *name,
    size_t *out, struct fault *f)
{
	if (schema_find(&w->schema, text_of(name)) >= 0)
		return fault_set(f,
		    "%s adds the column '%s', but a label or parameter has this name; "
		    "rename it",
		    option, name);
	*out = schema_add(&w->schema, text_of(name));
	return 0;
}

/* Adds the column of GPUs. Kernels and models have a factor of this name. */
static int add_device(struct sample_writer *w, struct fault *f)
{
	const struct subjects *list = w->config.subjects;
	long factor = -1;

	for (size_t i = 0; i < list->count; i++)
		if (list->subject[i].work)
			factor = schema_find(&w->schema, TEXT("device"));
	if (factor < 0)
		return add_column(w, "--gpu", "device", &w->device, f);
	w->device = (size_t)factor;
	return 0;
}

static int learn_columns(struct sample_writer *w, struct fault *f)
{
	const struct sample_writer_opts *c = &w->config;

	schema_init(&w->schema);
	for (size_t i = 0; i < c->subjects->count; i++)
		for (size_t j = 0; j < c->subjects->subject[i].factors; j++)
			schema_add(
			    &w->schema, text_of(c->subjects->subject[i].factor[j].name));
	for (size_t i = 0; i < c->labels; i++)
		schema_add(&w->schema, text_of(c->label[i].name));
	if (c->gpu && add_device(w, f) < 0)
		return -1;
	if (c->workers && add_column(w, "-J", "worker", &w->worker, f) < 0)
		return -1;
	if (c->subjects->twins && add_column(w, "--aa", COLUMN_AA, &w->aa, f) < 0)
		return -1;
	if (c->ops && add_column(w, "--ops", "operation", &w->operation, f) < 0)
		return -1;
	if (c->part && add_column(w, "--per", c->part, &w->part, f) < 0)
		return -1;
	w->cell = mem_zero(w->schema.count, sizeof(*w->cell));
	w->out = mem_zero(w->schema.count, sizeof(*w->out));
	w->order = mem_zero(w->schema.count, sizeof(*w->order));
	schema_order(&w->schema, w->order);
	w->row = (struct row){ .schema = &w->schema,
		.cell = w->cell,
		.process = ROW_NONE,
		.t = ROW_NONE,
		.iterations = 1 };
	return 0;
}

static struct render *open_outlet(struct sample_writer *w, const struct output *out)
{
	struct render_column *columns = mem_zero(w->schema.count, sizeof(*columns));
	struct render *r;

	for (size_t i = 0; i < w->schema.count; i++)
		columns[i].name = w->schema.name[w->order[i]];
	r = render_open(out, columns, w->schema.count);
	free(columns);
	return r;
}

static void set_provenance(struct sample_writer *w)
{
	w->cell[COL_RUN] = text_of(w->run);
	w->cell[COL_HOST] = text_of(w->host_name);
	w->cell[COL_ENV] = text_of(w->env);
	w->cell[COL_COMMIT] = text_of(w->commit);
	for (size_t i = 0; i < w->config.labels; i++)
		w->cell[schema_add(&w->schema, text_of(w->config.label[i].name))] =
		    text_of(w->config.label[i].value);
}

static int open_dir(struct sample_writer *w, struct fault *f)
{
	if (!w->config.dir)
		return 0;
	w->dir = run_dir_open(w->config.dir, w->begun_ns, f);
	w->samples = w->dir ? run_dir_create(w->dir, "samples.csv", f) : NULL;
	return w->samples ? 0 : -1;
}

/* Fills in the columns that are equal in all rows. */
static void begin_run(struct sample_writer *w)
{
	provenance_run(w->run);
	host_env_hash(&w->host, w->env);
	host_name(w->host_name);
	w->commit = str_copy(w->config.commit);
	set_provenance(w);
}

/* Opens the files of the directory and of -o. Returns 0, or -1 and the message. */
static int open_files(struct sample_writer *w, struct fault *f)
{
	const char *output = w->config.output;

	if (w->dir &&
	    !(w->results = run_results_open(w->dir, w->cell, w->begun_ns, &w->host, f)))
		return -1;
	if (output && !(w->output = output_stream_open(output, TEMP_FILE_OUTPUT, f)))
		return -1;
	return 0;
}

/* Begins the outputs of rows. A table gets no rows, but a summary. */
static void open_outlets(struct sample_writer *w)
{
	const enum render_format format = w->config.out.format;
	const bool table = format == RENDER_TABLE;

	if (w->output)
		w->outlet[TO_OUTPUT] = open_outlet(w,
		    &OUTPUT_OF(output_stream_file(w->output), table ? RENDER_CSV : format));
	else if (!table)
		w->outlet[TO_CALLER] = open_outlet(w, &w->config.out);
	if (!w->dir)
		return;
	w->outlet[TO_SAMPLES] = open_outlet(w, &OUTPUT_OF(w->samples, RENDER_CSV));
	w->outlet[TO_RESULTS] =
	    open_outlet(w, &OUTPUT_OF(run_results_file(w->results), RENDER_JSON));
}

/* Checks the names, and reads the facts of the machine. Returns 0, or -1 and the message.
 */
static int prepare_columns(struct sample_writer *w, struct fault *f)
{
	const struct sample_writer_opts *c = &w->config;

	if (learn_columns(w, f) < 0 ||
	    output_metrics_check(c->extract, c->extracts, c->counters, c->energy, f) < 0)
		return -1;
	if (open_dir(w, f) < 0 || each_metrics_has(&w->each, TEXT("wall"), f) < 0)
		return -1;
	return host_read(&w->host, kernel_files_root(), HOST_STABLE, f);
}

struct sample_writer *sample_writer_open(
    const struct sample_writer_opts *config, struct fault *f)
{
	struct sample_writer *w = mem_zero(1, sizeof(*w));
	int status;

	w->config = *config;
	w->begun_ns = clock_realtime_ns();
	status = prepare_columns(w, f);
	if (status == 0) {
		begin_run(w);
		status = open_files(w, f);
	}
	if (status < 0) {
		sample_writer_close(w, NULL, f);
		return NULL;
	}
	open_outlets(w);
	w->opened = true;
	if (config->out.format == RENDER_TABLE || config->brief || w->dir)
		w->summary = run_summary_open(
		    &w->schema, config->brief, config->subjects->twins, config->confidence);
	return w;
}

/* Writes the current row to all outlets. */
static void write_row(struct sample_writer *w)
{
	for (size_t i = 0; i < w->schema.count; i++)
		w->out[i] = row_cell(&w->row, w->order[i]);
	for (size_t i = 0; i < OUTLETS; i++)
		if (w->outlet[i])
			render_row(w->outlet[i], w->out);
}

const struct host *sample_writer_host(const struct sample_writer *w)
{
	return &w->host;
}

const char *sample_writer_run(const struct sample_writer *w)
{
	return w->run;
}

static void put_row(struct sample_writer *w)
{
	w->rows++;
	write_row(w);
	if (w->summary)
		run_summary_row(w->summary, &w->row);
}

/* Buffers for a worker's number and for a status that is not constant. */
struct row_text {
	char worker[24], status[RUN_STATUS_MAX];
};

/* Sets the columns that belong to options. */
static void set_part(
    struct sample_writer *w, const struct sample_value *v, struct row_text *text)
{
	if (w->config.workers)
		w->cell[w->worker] = (struct text){ text->worker,
			v->worker == ROW_NONE
		            ? 0
			    : (size_t)snprintf(text->worker, sizeof(text->worker),
			          "%" PRId64, v->worker) };
	if (w->config.ops)
		w->cell[w->operation] = text_of(v->operation ? v->operation : "");
	if (w->config.part)
		w->cell[w->part] = text_of(v->part ? v->part : "");
	if (w->config.gpu && !w->subject->work)
		w->cell[w->device] = text_of(v->device ? v->device : "");
}

/* Writes one value of a sample whose common cells are set. */
static void write_value(struct sample_writer *w, const struct sample_value *v)
{
	struct row_text text;

	w->cell[COL_METRIC] = text_of(v->metric);
	w->cell[COL_UNIT] = text_of(v->unit);
	w->cell[COL_STATUS] = text_of(run_status_text(v->status, text.status));
	set_part(w, v, &text);
	w->row.ok = run_is_ok(v->status);
	w->row.has_value = !isnan(v->value);
	w->row.value = v->value;
	w->row.has_running_pct = v->running_pct < 100;
	w->row.running_pct = v->running_pct;
	w->row.t = v->t_ns;
	each_metrics_mark(&w->each, &w->row, NULL); /* the table is read */
	w->row.iterations = v->iterations ? (int64_t)v->iterations : ROW_NONE;
	put_row(w);
}

static void set_subject(struct sample_writer *w, const struct subject *s)
{
	w->subject = s;
	w->cell[COL_KIND] = text_of(subject_kinds[s->from->kind]);
	w->cell[COL_BENCH] = text_of(s->from->bench);
	for (size_t i = COL_FACTORS; i < w->schema.count; i++)
		w->cell[i] = (struct text){ 0 };
	set_provenance(w);
	w->row.aa = s->aa;
	if (s->aa)
		w->cell[w->aa] = (struct text){ &s->aa, 1 };
	for (size_t i = 0; i < s->factors; i++)
		w->cell[schema_add(&w->schema, text_of(s->factor[i].name))] =
		    text_of(s->factor[i].value);
}

void sample_writer_sample(struct sample_writer *w, const struct run_sample *s)
{
	char time[PROVENANCE_TIME_MAX];

	set_subject(w, s->subject);
	w->cell[COL_TIME] = (struct text){ time, provenance_time(time, s->begin_ns) };
	w->row.process = s->process;
	w->row.sample = s->number;
	for (size_t i = 0; i < s->values; i++)
		write_value(w, &s->value[i]);
}

void sample_writer_end_mark(struct sample_writer *w)
{
	char time[PROVENANCE_TIME_MAX];

	for (size_t i = 0; i < w->schema.count; i++)
		if (column_kind(i) != COLUMN_PROVENANCE)
			w->cell[i] = (struct text){ 0 };
	w->cell[COL_TIME] =
	    (struct text){ time, provenance_time(time, clock_realtime_ns()) };
	w->cell[COL_METRIC] = TEXT(END_MARK_METRIC);
	w->cell[COL_UNIT] = TEXT("1");
	w->cell[COL_STATUS] = TEXT("ok");
	w->row.has_value = true;
	w->row.value = (double)w->rows;
	w->row.has_running_pct = false;
	w->row.process = w->row.sample = w->row.t = w->row.iterations = ROW_NONE;
	write_row(w);
}

static const char *outlet_name(const struct sample_writer *w, size_t outlet)
{
	return outlet == TO_CALLER   ? "standard output"
	       : outlet == TO_OUTPUT ? w->config.output
	                             : run_dir_path(w->dir);
}

int sample_writer_flush(struct sample_writer *w, struct fault *f)
{
	/* Standard output comes last: its reader may pause. */
	for (size_t i = OUTLETS; i-- > 0;)
		if (w->outlet[i] && render_flush(w->outlet[i]) < 0) {
			w->broken = errno;
			if (errno != EPIPE)
				return fault_errno(f, "%s", outlet_name(w, i));
			interrupt_request(SIGPIPE);
			return 0;
		}
	if (w->output && w->rows)
		output_stream_name_partial(w->output);
	return 0;
}

int sample_writer_reserve(struct sample_writer *w, struct fault *f)
{
	if (!w->output || output_stream_reserve(w->output) == 0)
		return 0;
	w->broken = errno;
	return fault_errno(f, "%s", w->config.output);
}

static int print_results_summary(void *writer, FILE *out)
{
	const struct sample_writer *w = writer;

	return run_summary_print(w->summary, &OUTPUT_OF(out, RENDER_JSON));
}

/* Prints the lines for people, and the table if it is wanted. */
static int print_for_people(struct sample_writer *w)
{
	const struct brief_opts *brief = w->config.brief;
	struct output table = w->config.out;

	table.format = RENDER_TABLE;
	if (brief &&
	    run_summary_print_brief(w->summary, w->each.table, w->config.out.file) < 0)
		return -1;
	return (brief ? brief->verbose : w->config.out.format == RENDER_TABLE)
	           ? run_summary_print(w->summary, &table)
		   : 0;
}

/* Completes the directory of the run; status is that of the writes so far. */
static int finish_dir(struct sample_writer *w, int status, struct fault *f)
{
	FILE *summary;
	struct fault more;

	/* An earlier failure has its message already. */
	if (run_dir_end(w->dir, w->samples, status, "samples.csv", status < 0 ? &more : f) <
	    0)
		return -1;
	summary = run_dir_create(w->dir, "summary.csv", f);
	if (!summary ||
	    run_dir_end(w->dir, summary,
	        run_summary_print(w->summary, &OUTPUT_OF(summary, RENDER_CSV)),
	        "summary.csv", f) < 0 ||
	    run_results_end(w->results, print_results_summary, w, f) < 0)
		return -1;
	return run_dir_env(w->dir, &w->host, w->env, f);
}

/* Ends an outlet, and the file of -o, which is not replaced without a row, or by some of
 * the rows, as when another outlet ended the run. Returns 0, or -1 and the message. */
static int end_outlet(struct sample_writer *w, size_t outlet, struct fault *f)
{
	struct output_stream *output = w->output;
	int status = render_close(w->outlet[outlet]);

	if (outlet != TO_OUTPUT)
		return status < 0 ? fault_errno(f, "%s", outlet_name(w, outlet)) : 0;
	w->output = NULL;
	if (status == 0 && (errno = w->broken))
		status = -1;
	if (status == 0 && !w->rows) {
		output_stream_discard(output);
		return 0;
	}
	return output_stream_end(
	    output, status, w->rows ? &w->partial : NULL, outlet_name(w, outlet), f);
}

/* Closes the outlets and writes the end of each. */
static int end_outlets(struct sample_writer *w, struct fault *f)
{
	struct fault more;
	int status = 0;

	for (size_t i = OUTLETS; i-- > 0;)
		if (w->outlet[i] && end_outlet(w, i, status < 0 ? &more : f) < 0)
			status = -1;
	if (w->summary)
		run_summary_finish(w->summary);
	if (status == 0 && print_for_people(w) < 0)
		status = fault_errno(f, "standard output");
	return w->dir ? finish_dir(w, status, f) : status;
}

int sample_writer_close(struct sample_writer *w, char **partial, struct fault *f)
{
	if (!w)
		return 0;
	const int status = w->opened ? end_outlets(w, f) : 0;
	if (partial)
		*partial = w->partial;
	run_summary_close(w->summary);
	schema_free(&w->schema);
	host_free(&w->host);
	free(w->cell);
	free(w->out);
	free(w->order);
	output_stream_discard(w->output);
	run_results_close(w->results);
	run_dir_close(w->dir);
	free(w->commit);
	each_metrics_free(&w->each);
	free(w);
	return status;
}
