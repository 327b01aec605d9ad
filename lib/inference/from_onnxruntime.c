/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the profile of ONNX Runtime: an array of events, as Chrome's trace viewer has them,
 * whose times are in microseconds. The event of an operation follows its end, and so does
 * that of a run: the operations of a run precede it. Runs in several threads overlap; their
 * operations are told apart by the thread, unless the session computes them in threads in
 * which there are no runs.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/from.h"
#include "inference/operation_times.h"

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

/* An operation whose run has not ended. */
struct pending {
	size_t operation;
	double start_us, ns;
	struct text thread;
};

struct reading {
	const struct source *source;
	struct row_builder *out;
	struct arena texts;
	struct intern threads; /* that run the model */
	struct intern keys;    /* of operations */
	struct operation {
		const char *name; /* after its number, as bench-run --ops has it */
		struct text type, provider;
	} * operation;
	size_t operations, operations_cap;
	struct pending *pending;
	size_t count, cap;
	struct operation_times times;
	double *run_ns;
	size_t runs, runs_cap;
	double load_ns; /* NAN: not in the profile */
};

static struct text thread_of(struct reading *r, const struct json_t *event)
{
	return from_scalar(&r->texts, doc_member(event, "tid"));
}

static double us_of(const struct json_t *event, const char *member)
{
	return from_number(doc_member(event, member), 0);
}

static bool is_run(const struct json_t *event)
{
	return is_category(event, "Session") &&
	       text_is(from_text(event, "name"), "model_run");
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
	number = intern_add(&r->keys, (struct text){ key.ptr, key.len });
	buf_free(&key);
	if (!name.len)
		name = type;
	if (number == r->operations)
		*VEC_ADD(r->operation, r->operations, r->operations_cap) =
		    (struct operation){ arena_format(&r->texts, "%03zu %.*s", number,
			                    (int)name.len, name.ptr),
			    type, from_text(args, "provider") };
	return number;
}

/* Makes the operations that began in a run its own. */
static void end_run(struct reading *r, const struct json_t *event)
{
	const double start = us_of(event, "ts"), end = start + us_of(event, "dur");
	struct text thread = thread_of(r, event);
	size_t kept = 0;

	for (size_t i = 0; i < r->count; i++) {
		const struct pending p = r->pending[i];
		bool mine = p.start_us >= start && p.start_us <= end &&
		            (text_equal(p.thread, thread) ||
		                intern_find(&r->threads, p.thread) < 0);

		if (mine)
			operation_times_add(
			    &r->times, (struct operation_time){ .sample = (int64_t)r->runs,
			                   .operation = p.operation,
			                   .wall_ns = p.ns,
			                   .calls = 1 });
		else
			r->pending[kept++] = p;
	}
	r->count = kept;
	*VEC_ADD(r->run_ns, r->runs, r->runs_cap) =
	    from_number(doc_member(event, "dur"), 3);
}

static void read_event(struct reading *r, const struct json_t *event)
{
	struct text name = from_text(event, "name");
	double ns = from_number(doc_member(event, "dur"), 3);

	if (isnan(ns) || isnan(us_of(event, "ts")))
		return;
	if (is_run(event)) {
		end_run(r, event);
	} else if (is_category(event, "Session")) {
		if (text_begins(name, "model_loading") ||
		    text_is(name, "session_initialization"))
			r->load_ns = isnan(r->load_ns) ? ns : r->load_ns + ns;
	} else if (is_category(event, "Node") && text_ends(name, kernel_time)) {
		size_t operation = find_operation(r, event);

		*VEC_ADD(r->pending, r->count, r->cap) = (struct pending){ operation,
			us_of(event, "ts"), ns, thread_of(r, event) };
	}
}

static void begin_rows(struct row_builder *out)
{
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("model"));
	row_builder_factor(out, TEXT("backend"), TEXT("onnxruntime"));
}

static int put_runs(struct reading *r, struct fault *f)
{
	const struct operation_times *times = &r->times;
	struct row_builder *out = r->out;
	size_t i = 0;

	for (size_t run = 0; run < r->runs; run++) {
		begin_rows(out);
		out->row.sample = (int64_t)run;
		if (row_builder_put(out, TEXT("wall"), TEXT("ns"), r->run_ns[run], f) < 0)
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

static int put_rows(struct reading *r, struct fault *f)
{
	begin_rows(r->out);
	r->out->row.sample = ROW_NONE;
	if (!isnan(r->load_ns) &&
	    row_builder_put(r->out, TEXT("load"), TEXT("ns"), r->load_ns, f) < 0)
		return -1;
	if (r->count)
		row_builder_note(r->out,
		    "%s: %zu executions of operations are omitted, because the profile "
		    "does not have the end of their run",
		    r->source->name, r->count);
	operation_times_merge(&r->times);
	return put_runs(r, f);
}

static int onnxruntime_read(
    const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .source = s, .out = out, .load_ns = NAN };
	size_t events = doc_length(s->doc);
	int status;

	for (size_t i = 0; i < events; i++)
		if (is_run(doc_item(s->doc, i)))
			intern_add(&r.threads, thread_of(&r, doc_item(s->doc, i)));
	for (size_t i = 0; i < events; i++)
		read_event(&r, doc_item(s->doc, i));
	status = put_rows(&r, f);
	intern_free(&r.threads);
	intern_free(&r.keys);
	free(r.operation);
	free(r.pending);
	free(r.times.at);
	free(r.run_ns);
	arena_free(&r.texts);
	return status;
}

const struct format format_onnxruntime = { .name = "onnxruntime",
	.meaning = "profile of ONNX Runtime (enable_profiling)",
	.is_json = true,
	.recognize = onnxruntime_recognize,
	.read = onnxruntime_read };
