/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the trace of PyTorch's profiler, which Kineto writes: events as Chrome's trace
 * viewer has them, whose times are in microseconds. Operations call others, so an
 * operation's time includes theirs; the time without them is a metric of its own. A kernel
 * belongs to the step in which it was launched, because it may run when the step is over.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/from.h"
#include "inference/nested_calls.h"
#include "inference/operation_times.h"
#include "text/plural.h"

static bool pytorch_recognize(const struct source *s)
{
	return doc_is_array(doc_member(s->doc, "traceEvents")) &&
	       doc_member(s->doc, "schemaVersion");
}

static const char step_name[] = "ProfilerStep#";

struct span {
	double start_us, end_us, ns;
};

struct operation {
	struct text name, category, device;
};

struct launch {
	double correlation, start_us;
};

struct reading {
	const struct source *source;
	struct row_builder *out;
	struct arena texts;
	struct span *step;
	size_t steps, steps_cap;
	struct launch *launch;
	size_t launches, launches_cap;
	struct intern threads, keys;
	struct operation *operation;
	size_t operations, operations_cap;
	struct nested_calls executions; /* on the host */
	struct operation_times times;
	size_t outside; /* executions in no step */
	size_t untimed; /* executions whose time is negative */
};

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->start_us > y->start_us) - (x->start_us < y->start_us);
}

static int compare_launches(const void *a, const void *b)
{
	const struct launch *x = a, *y = b;

	return (x->correlation > y->correlation) - (x->correlation < y->correlation);
}

static bool is_category(const struct json_t *event, const char *category)
{
	return text_is(from_text(event, "cat"), category);
}

/* Sets the time of an event. Returns whether it has one. */
static bool read_span(const struct json_t *event, struct span *when)
{
	double us = from_number(doc_member(event, "dur"), 0);

	when->start_us = from_number(doc_member(event, "ts"), 0);
	when->end_us = when->start_us + us;
	when->ns = from_number(doc_member(event, "dur"), 3);
	return text_is(from_text(event, "ph"), "X") && isfinite(when->end_us);
}

/* Returns whether an event is a call of the driver of a device. */
static bool is_driver_call(const struct json_t *event)
{
	struct text category = from_text(event, "cat");

	return text_ends(category, "_runtime") || text_ends(category, "_driver");
}

/* Collects the steps, and the launches of kernels, which may follow the kernels. */
static void read_frame(struct reading *r, const struct json_t *event)
{
	struct span when;
	double correlation;

	if (!read_span(event, &when) || when.ns < 0)
		return;
	if (is_category(event, "user_annotation") &&
	    text_begins(from_text(event, "name"), step_name))
		*VEC_ADD(r->step, r->steps, r->steps_cap) = when;
	else if (is_driver_call(event) &&
	         doc_number(
	             doc_member(doc_member(event, "args"), "correlation"), &correlation))
		*VEC_ADD(r->launch, r->launches, r->launches_cap) =
		    (struct launch){ correlation, when.start_us };
}

/* Returns the number of the step at a time, or -1; 0 if the trace has no steps. */
static int64_t find_step(const struct reading *r, double us)
{
	size_t low = 0, high = r->steps;

	if (!r->steps)
		return 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->step[middle].start_us <= us)
			low = middle + 1;
		else
			high = middle;
	}
	return low && us < r->step[low - 1].end_us ? (int64_t)low - 1 : -1;
}

/* Returns when an event of a device was launched; its own start if that is not known. */
static double launch_of(
    const struct reading *r, const struct json_t *event, double start_us)
{
	struct launch key = { 0, 0 }, *found = NULL;

	if (r->launches && doc_number(doc_member(doc_member(event, "args"), "correlation"),
	                       &key.correlation))
		found =
		    bsearch(&key, r->launch, r->launches, sizeof(key), compare_launches);
	return found ? found->start_us : start_us;
}

static size_t find_operation(struct reading *r, const struct json_t *event)
{
	struct operation o = { from_text(event, "name"), from_text(event, "cat"),
		from_scalar(&r->texts, doc_member(doc_member(event, "args"), "device")) };
	struct buf key = { 0 };
	size_t number;

	buf_printf(&key, "%zu:%zu:", o.category.len, o.device.len);
	buf_text(&key, o.category);
	buf_text(&key, o.device);
	buf_text(&key, o.name);
	number = intern_add(&r->keys, text_in(&key));
	buf_free(&key);
	if (number == r->operations)
		*VEC_ADD(r->operation, r->operations, r->operations_cap) = o;
	return number;
}

static size_t find_thread(struct reading *r, const struct json_t *event)
{
	struct text pid = from_scalar(&r->texts, doc_member(event, "pid")),
	            tid = from_scalar(&r->texts, doc_member(event, "tid"));
	struct buf key = { 0 };
	size_t number;

	buf_text(&key, pid);
	buf_byte(&key, ' ');
	buf_text(&key, tid);
	number = intern_add(&r->threads, text_in(&key));
	buf_free(&key);
	return number;
}

/* Adds an execution to the step at a time. */
static void add_time(struct reading *r, double us, struct operation_time time)
{
	time.sample = find_step(r, us);
	if (time.sample < 0)
		r->outside++;
	else
		operation_times_add(&r->times, time);
}

/* Adds an execution on the host, or another event that has no rows. */
static void add_call(
    struct reading *r, const struct json_t *event, struct span when, size_t operation)
{
	const size_t position = r->executions.count;

	*VEC_ADD(r->executions.at, r->executions.count, r->executions.cap) =
	    (struct nested_call){ .start_us = when.start_us,
		    .end_us = when.end_us,
		    .ns = when.ns,
		    .thread = find_thread(r, event),
		    .operation = operation,
		    .position = position };
}

static bool is_of_device(const struct json_t *event)
{
	static const char *const categories[] = { "kernel", "gpu_memcpy", "gpu_memset" };

	for (size_t i = 0; i < COUNT(categories); i++)
		if (is_category(event, categories[i]))
			return true;
	return false;
}

static void read_event(struct reading *r, const struct json_t *event)
{
	bool is_operation = is_category(event, "cpu_op"), of_device = is_of_device(event);
	struct span when;

	if (!read_span(event, &when))
		return;
	if (when.ns < 0)
		r->untimed += is_operation || of_device;
	else if (is_operation)
		add_call(r, event, when, find_operation(r, event));
	else if (of_device)
		add_time(r, launch_of(r, event, when.start_us),
		    (struct operation_time){ .operation = find_operation(r, event),
		        .wall_ns = when.ns,
		        .self_ns = NAN,
		        .calls = 1 });
	else if (is_driver_call(event) || is_category(event, "user_annotation"))
		add_call(r, event, when, NESTED_CALLS_OTHER);
}

/* Adds the executions on the host as key_averages() of PyTorch does, except that the time
 * of an operation inside itself counts once. */
static void add_executions(struct reading *r)
{
	nested_calls_find(&r->executions);
	for (size_t i = 0; i < r->executions.count; i++) {
		const struct nested_call *e = &r->executions.at[i];

		if (e->operation != NESTED_CALLS_OTHER)
			add_time(r, e->start_us,
			    (struct operation_time){ .operation = e->operation,
			        .wall_ns = e->is_repeated ? 0 : e->ns,
			        .self_ns = e->self_ns,
			        .calls = !e->is_forwarded });
	}
}

static int put_operation(struct reading *r, const struct operation_time *t, struct fault *f)
{
	const struct operation *o = &r->operation[t->operation];
	struct row_builder *out = r->out;

	row_builder_factor(out, TEXT("operation"), o->name);
	row_builder_factor(out, TEXT("category"), o->category);
	row_builder_factor(out, TEXT("device"), o->device);
	if (row_builder_put(out, TEXT("wall"), TEXT("ns"), t->wall_ns, f) < 0 ||
	    (!isnan(t->self_ns) &&
	        row_builder_put(out, TEXT("self"), TEXT("ns"), t->self_ns, f) < 0))
		return -1;
	return row_builder_put(out, TEXT("calls"), TEXT("1"), (double)t->calls, f);
}

static int put_steps(struct reading *r, struct fault *f)
{
	const struct json_t *doc = r->source->doc;
	const struct operation_times *times = &r->times;
	struct row_builder *out = r->out;
	size_t i = 0;

	for (size_t step = 0; step < (r->steps ? r->steps : 1); step++) {
		row_builder_clear(out);
		row_builder_set(out, COL_KIND, TEXT("model"));
		row_builder_set(out, COL_HOST, from_text(doc, "host_name"));
		row_builder_factor(out, TEXT("backend"), TEXT("pytorch"));
		from_factor(out, TEXT("rank"),
		    doc_member(doc_member(doc, "distributedInfo"), "rank"));
		out->row.sample = (int64_t)step;
		if (r->steps &&
		    row_builder_put(out, TEXT("wall"), TEXT("ns"), r->step[step].ns, f) < 0)
			return -1;
		for (; i < times->count && times->at[i].sample == (int64_t)step; i++)
			if (put_operation(r, &times->at[i], f) < 0)
				return -1;
	}
	return 0;
}

static void note_omitted(const struct reading *r)
{
	if (r->outside)
		row_builder_note(r->out,
		    "%s: %zu %s omitted, because %s began outside of all steps",
		    r->source->name, r->outside, operation_times_noun(r->outside),
		    plural(r->outside, "it", "they"));
	if (r->untimed)
		row_builder_note(r->out, "%s: %zu %s omitted, because %s time is negative",
		    r->source->name, r->untimed, operation_times_noun(r->untimed),
		    plural(r->untimed, "its", "their"));
}

static void free_reading(struct reading *r)
{
	intern_free(&r->threads);
	intern_free(&r->keys);
	free(r->step);
	free(r->launch);
	free(r->operation);
	free(r->executions.at);
	free(r->times.at);
	arena_free(&r->texts);
}

static int pytorch_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	const struct json_t *events = doc_member(s->doc, "traceEvents");
	struct reading r = { .source = s, .out = out };
	int status;

	for (size_t i = 0; i < doc_length(events); i++)
		read_frame(&r, doc_item(events, i));
	if (r.steps)
		qsort(r.step, r.steps, sizeof(*r.step), compare_spans);
	if (r.launches)
		qsort(r.launch, r.launches, sizeof(*r.launch), compare_launches);
	for (size_t i = 0; i < doc_length(events); i++)
		read_event(&r, doc_item(events, i));
	add_executions(&r);
	operation_times_merge(&r.times);
	note_omitted(&r);
	status = put_steps(&r, f);
	free_reading(&r);
	return status;
}

const struct format format_pytorch = { .name = "pytorch",
	.meaning = "trace of PyTorch's profiler (export_chrome_trace)",
	.is_json = true,
	.recognize = pytorch_recognize,
	.read = pytorch_read };
