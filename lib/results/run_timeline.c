/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes timelines; see run_timeline.h. Each measured process is one of the file. Its
 * first track has what the host does, and the others have the operations on the device: one
 * track, or several if the engine runs operations in several threads.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "io/trace_events.h"
#include "record/provenance.h"
#include "results/output_stream.h"
#include "results/run_timeline.h"
#include "sys/temp_file.h"

enum { TRACK_HOST = 1, TRACK_DEVICE, DEVICE_TRACKS = TRACE_TRACKS_MAX - TRACK_DEVICE + 1 };

struct run_timeline {
	char *path;
	struct output_stream *out;
	struct trace_events events;
	const struct subject *subject; /* of the current process */
	uint32_t processes;
	uint32_t tracks; /* of the device, in the current process, that have a name */
	int error;       /* errno of the first failed write; 0: none */
};

/* The names of the categories, and of the arguments of their spans. */
static const struct {
	const char *category, *number, *detail;
} categories[] = {
	[HELPER_SPAN_PHASE] = { "phase", NULL, "part" },
	[HELPER_SPAN_SAMPLE] = { "sample", "sample", NULL },
	[HELPER_SPAN_TOKEN] = { "token", "token", NULL },
	[HELPER_SPAN_OPERATION] = { "operation", NULL, "kind" },
};

static const char *const clocks[] = {
	[HELPER_CLOCK_HOST] = "host",
	[HELPER_CLOCK_DEVICE] = "device",
	[HELPER_CLOCK_ENGINE] = "engine",
	[HELPER_CLOCK_DERIVED] = "engine",
};

/* Passes the text so far to the file. */
static void flush_events(struct run_timeline *t)
{
	struct buf *b = &t->events.bytes;

	if (!t->error && fwrite(b->ptr, 1, b->len, output_stream_file(t->out)) != b->len)
		t->error = errno;
	b->len = 0;
	output_stream_name_partial(t->out);
}

struct run_timeline *run_timeline_open(const char *path, const char *run, struct fault *f)
{
	struct output_stream *out = output_stream_open(path, TEMP_FILE_OUTPUT, f);
	struct run_timeline *t = out ? mem_zero(1, sizeof(*t)) : NULL;
	char time[PROVENANCE_TIME_MAX];
	const struct trace_arg about[] = { { "program", "bench-run", 0 }, { "run", run, 0 },
		{ "time", time, 0 }, { "clock", "CLOCK_MONOTONIC", 0 } };

	if (!t)
		return NULL;
	t->out = out;
	t->path = str_copy(path);
	provenance_time(time, clock_realtime_ns());
	trace_events_begin(&t->events, clock_monotonic_ns(), about, COUNT(about));
	return t;
}

void run_timeline_begin_process(
    struct run_timeline *t, const struct subject *subject, int64_t number)
{
	char *label = subject_label(subject), *name;

	name = str_format("%s%s%.1s, process %" PRId64, label, subject->aa ? " aa=" : "",
	    &subject->aa, number);
	t->subject = subject;
	t->tracks = 0;
	t->processes++;
	trace_events_process(&t->events, t->processes, name);
	trace_events_track(&t->events, t->processes, TRACK_HOST, "phases and samples");
	free(name);
	free(label);
}

/* Returns the value of a factor of the current process, or an empty string. */
static const char *factor_value(const struct run_timeline *t, const char *name)
{
	for (size_t i = 0; i < t->subject->factors; i++)
		if (strcmp(t->subject->factor[i].name, name) == 0)
			return t->subject->factor[i].value;
	return "";
}

/* Returns the track of a thread on the device. Names the tracks up to it. */
static uint32_t device_track(struct run_timeline *t, uint32_t thread)
{
	if (thread >= DEVICE_TRACKS)
		thread = DEVICE_TRACKS - 1;
	for (; t->tracks <= thread; t->tracks++) {
		char *name = str_format("%s %s%s%.0" PRIu32, factor_value(t, "backend"),
		    factor_value(t, "device"), t->tracks ? ", thread " : "", t->tracks);

		trace_events_track(
		    &t->events, t->processes, TRACK_DEVICE + t->tracks, name);
		free(name);
	}
	return TRACK_DEVICE + thread;
}

static void add_span(struct run_timeline *t, const struct helper_span *s)
{
	const bool on_device = s->category == HELPER_SPAN_OPERATION;
	struct trace_arg arg[6];
	size_t args = 0;

	if (*s->detail)
		arg[args++] =
		    (struct trace_arg){ categories[s->category].detail, s->detail, 0 };
	if (categories[s->category].number)
		arg[args++] = (struct trace_arg){ categories[s->category].number, NULL,
			(double)s->number };
	if (s->iterations)
		arg[args++] =
		    (struct trace_arg){ "iterations", NULL, (double)s->iterations };
	arg[args++] = (struct trace_arg){ "clock", clocks[s->clock], 0 };
	if (s->clock == HELPER_CLOCK_DERIVED)
		arg[args++] = (struct trace_arg){ "start", "derived", 0 };
	trace_events_span(
	    &t->events, &(struct trace_span){ .process = t->processes,
	                    .track = on_device ? device_track(t, s->thread) : TRACK_HOST,
	                    .name = s->name,
	                    .category = categories[s->category].category,
	                    .start_ns = s->start_ns,
	                    .duration_ns = s->duration_ns,
	                    .arg = arg,
	                    .args = args });
}

void run_timeline_add(struct run_timeline *t, const struct helper_span *span, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (span[i].category < COUNT(categories) && span[i].clock < COUNT(clocks))
			add_span(t, &span[i]);
	flush_events(t);
}

int run_timeline_close(struct run_timeline *t, char **partial, struct fault *f)
{
	int status = 0;

	*partial = NULL;
	if (!t)
		return 0;
	if (t->processes) {
		trace_events_end(&t->events);
		flush_events(t);
		errno = t->error;
		status = output_stream_end(t->out, t->error ? -1 : 0, partial, t->path, f);
	} else
		output_stream_discard(t->out);
	buf_free(&t->events.bytes);
	free(t->path);
	free(t);
	return status;
}
