/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the profile of ONNX Runtime: an array of events, as Chrome's trace viewer has them,
 * whose times are in microseconds. An operation belongs to the run of its thread or, if the
 * session computes operations in threads in which there are no runs, to the run at its
 * start, unless this overlaps another one. ONNX Runtime does not record that a run failed:
 * its last operation is then the one that failed, and those after it are missing.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/from.h"
#include "inference/model_runs.h"
#include "inference/nested_calls.h"
#include "inference/operation_times.h"
#include "text/plural.h"

/* The end of an operation's name in the event of its computation. */
static const char kernel_time[] = "_kernel_time";

static bool is_category(const struct json_t *event, const char *category)
{
	return text_is(from_text(event, "cat"), category);
}

static bool onnxruntime_recognize(const struct source *s)
{
	const struct json_t *first = doc_item(s->doc, 0);

	return (is_category(first, "Session") || is_category(first, "Node")) &&
	       doc_member(first, "ts") && doc_member(first, "dur");
}

struct reading {
	const struct source *source;
	struct row_builder *out;
	struct arena texts;
	struct intern threads; /* those of the runs come first */
	struct intern keys;    /* of operations */
	struct operation {
		const char *name; /* after its number, as bench-run --ops has it */
		struct text type, provider;
		bool is_inner; /* inside another one, as the body of a loop */
	} * operation;
	size_t operations, operations_cap;
	struct model_runs runs;
	size_t run_threads;
	struct nested_calls executions;
	struct operation_times times;
	size_t without_run, ambiguous; /* executions */
	double load_ns;                /* NAN: not in the profile */
};

static size_t thread_of(struct reading *r, const struct json_t *event)
{
	return intern_add(&r->threads, from_scalar(&r->texts, doc_member(event, "tid")));
}

/* Sets the times of an event. Returns whether it has them. */
static bool read_times(
    const struct json_t *event, double *start_us, double *end_us, double *ns)
{
	*start_us = from_number(doc_member(event, "ts"), 0);
	*end_us = *start_us + from_number(doc_member(event, "dur"), 0);
	*ns = from_number(doc_member(event, "dur"), 3);
	return isfinite(*end_us) && *ns >= 0;
}

/* Returns the number of the operation of an event, which is added if it is new. Names are
 * not always unique, because the body of a loop has nodes of its own. */
static size_t find_operation(struct reading *r, const struct json_t *event)
{
	const struct json_t *args = doc_member(event, "args");
	struct text name = from_text(event, "name"), type = from_text(args, "op_name"),
	            index = from_scalar(&r->texts, doc_member(args, "node_index"));
	struct buf key = { 0 };
	size_t number;

	name.len -= sizeof(kernel_time) - 1;
	buf_printf(&key, "%zu:", name.len);
	buf_text(&key, name);
	buf_text(&key, index);
	number = intern_add(&r->keys, text_in(&key));
	buf_free(&key);
	if (!name.len)
		name = type;
	if (number == r->operations)
		*VEC_ADD(r->operation, r->operations, r->operations_cap) =
		    (struct operation){ arena_format(&r->texts, "%03zu %.*s", number,
			                    (int)name.len, name.ptr),
			    type, from_text(args, "provider"), false };
	return number;
}

/* Reads the event of a run, or of loading the model. */
static void read_session(struct reading *r, const struct json_t *event)
{
	struct text name = from_text(event, "name");
	struct model_run run;

	if (!is_category(event, "Session") ||
	    !read_times(event, &run.start_us, &run.end_us, &run.ns))
		return;
	if (text_is(name, "model_run")) {
		run.overlaps = false;
		run.thread = thread_of(r, event);
		*VEC_ADD(r->runs.run, r->runs.count, r->runs.cap) = run;
	} else if (text_begins(name, "model_loading") ||
	           text_is(name, "session_initialization"))
		r->load_ns = isnan(r->load_ns) ? run.ns : r->load_ns + run.ns;
}

/* Reads the event of an operation. */
static void read_operation(struct reading *r, const struct json_t *event, size_t position)
{
	struct nested_call e = { .position = position };

	if (!is_category(event, "Node") ||
	    !text_ends(from_text(event, "name"), kernel_time) ||
	    !read_times(event, &e.start_us, &e.end_us, &e.ns))
		return;
	e.thread = thread_of(r, event);
	e.operation = find_operation(r, event);
	e.sample = e.thread < r->run_threads
	               ? model_runs_of_thread(&r->runs, e.thread, e.start_us)
	               : model_runs_of_all(&r->runs, e.start_us);
	r->without_run += e.sample == RUN_NONE;
	r->ambiguous += e.sample == RUN_AMBIGUOUS;
	*VEC_ADD(r->executions.at, r->executions.count, r->executions.cap) = e;
}

/* Adds up the executions of each operation in each run. */
static void add_executions(struct reading *r)
{
	nested_calls_find(&r->executions);
	for (size_t i = 0; i < r->executions.count; i++) {
		const struct nested_call *e = &r->executions.at[i];

		if (e->is_inside)
			r->operation[e->operation].is_inner = true;
		if (e->sample >= 0)
			operation_times_add(
			    &r->times, (struct operation_time){ .sample = e->sample,
			                   .operation = e->operation,
			                   .wall_ns = e->ns,
			                   .calls = 1 });
	}
	operation_times_merge(&r->times);
}

/*
 * Returns which runs failed, allocated, and sets *count to their number. Each run computes
 * all operations outside of loops and branches, so that a run that computed only some of
 * them failed. Runs in a graph of a GPU have no operations at all in the profile.
 */
static bool *find_failures(const struct reading *r, size_t *count)
{
	bool *failed = mem_zero(r->runs.count, sizeof(*failed));
	size_t *outer = mem_zero(r->runs.count, sizeof(*outer)), all = 0;

	*count = 0;
	for (size_t i = 0; i < r->times.count; i++)
		outer[r->times.at[i].sample] +=
		    !r->operation[r->times.at[i].operation].is_inner;
	for (size_t i = 0; i < r->operations; i++)
		all += !r->operation[i].is_inner;
	for (size_t i = 0; i < r->runs.count && !r->ambiguous; i++) {
		failed[i] = outer[i] && outer[i] < all;
		*count += failed[i];
	}
	free(outer);
	return failed;
}

static void begin_rows(struct row_builder *out)
{
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("model"));
	row_builder_factor(out, TEXT("backend"), TEXT("onnxruntime"));
}

static int put_runs(struct reading *r, const bool *failed, struct fault *f)
{
	const struct operation_times *times = &r->times;
	struct row_builder *out = r->out;
	size_t i = 0;

	for (size_t run = 0; run < r->runs.count; run++) {
		begin_rows(out);
		if (failed[run])
			row_builder_set(out, COL_STATUS, TEXT("failed"));
		out->row.sample = (int64_t)run;
		if (row_builder_put(out, TEXT("wall"), TEXT("ns"), r->runs.run[run].ns, f) <
		    0)
			return -1;
		for (; i < times->count && times->at[i].sample == (int64_t)run; i++) {
			const struct operation_time *t = &times->at[i];
			const struct operation *o = &r->operation[t->operation];

			row_builder_factor(out, TEXT("operation"), text_of(o->name));
			row_builder_factor(out, TEXT("op_type"), o->type);
			row_builder_factor(out, TEXT("provider"), o->provider);
			if (row_builder_put(out, TEXT("wall"), TEXT("ns"), t->wall_ns, f) <
			    0)
				return -1;
		}
	}
	return 0;
}

/* Notes what the rows lack, and that runs failed. */
static void note_losses(const struct reading *r, size_t failures)
{
	const char *name = r->source->name;

	if (r->without_run)
		row_builder_note(r->out,
		    "%s: %zu %s omitted, because the profile does not have the end of "
		    "%s run",
		    name, r->without_run, operation_times_noun(r->without_run),
		    plural(r->without_run, "its", "their"));
	if (r->ambiguous)
		row_builder_note(r->out,
		    "%s: %zu %s omitted, because several runs overlap and the profile "
		    "does not state to which run %s",
		    name, r->ambiguous, operation_times_noun(r->ambiguous),
		    plural(r->ambiguous, "it belongs", "they belong"));
	if (failures)
		row_builder_note(r->out,
		    "%s: %zu %s before operations that other runs computed, and %s the "
		    "status failed",
		    name, failures, plural(failures, "run ended", "runs ended"),
		    plural(failures, "has", "have"));
}

static int put_rows(struct reading *r, struct fault *f)
{
	size_t failures;
	bool *failed = find_failures(r, &failures);
	int status = 0;

	note_losses(r, failures);
	begin_rows(r->out);
	r->out->row.sample = ROW_NONE;
	if (!isnan(r->load_ns))
		status = row_builder_put(r->out, TEXT("load"), TEXT("ns"), r->load_ns, f);
	if (status == 0)
		status = put_runs(r, failed, f);
	free(failed);
	return status;
}

static void free_reading(struct reading *r)
{
	intern_free(&r->threads);
	intern_free(&r->keys);
	model_runs_free(&r->runs);
	free(r->operation);
	free(r->executions.at);
	free(r->times.at);
	arena_free(&r->texts);
}

static int onnxruntime_read(
    const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .source = s, .out = out, .load_ns = NAN };
	size_t events = doc_length(s->doc);
	int status;

	for (size_t i = 0; i < events; i++)
		read_session(&r, doc_item(s->doc, i));
	model_runs_sort(&r.runs);
	r.run_threads = r.threads.count;
	for (size_t i = 0; i < events; i++)
		read_operation(&r, doc_item(s->doc, i), i);
	add_executions(&r);
	status = put_rows(&r, f);
	free_reading(&r);
	return status;
}

const struct format format_onnxruntime = { .name = "onnxruntime",
	.meaning = "profile of ONNX Runtime (enable_profiling)",
	.is_json = true,
	.recognize = onnxruntime_recognize,
	.read = onnxruntime_read };
