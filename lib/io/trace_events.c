/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes timelines; see trace_events.h.
 */
#include <inttypes.h>

#include "io/json_doc.h"
#include "io/trace_events.h"

/* Returns the number of a thread. Viewers expect that it is unique among all processes. */
static uint64_t thread_number(uint32_t process, uint32_t track)
{
	return (uint64_t)process * (TRACE_TRACKS_MAX + 1) + track;
}

static void put_args(struct buf *b, const struct trace_arg *arg, size_t args)
{
	buf_byte(b, '{');
	for (size_t i = 0; i < args; i++) {
		buf_str(b, i ? "," : "");
		doc_put_text(b, text_of(arg[i].name));
		buf_byte(b, ':');
		if (arg[i].text)
			doc_put_text(b, text_of(arg[i].text));
		else
			doc_put_number(b, arg[i].number);
	}
	buf_byte(b, '}');
}

/* Appends nanoseconds as microseconds. */
static void put_us(struct buf *b, int64_t ns)
{
	const uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	buf_printf(b, "%s%" PRIu64 ".%03u", ns < 0 ? "-" : "", size / 1000,
	    (unsigned)(size % 1000));
}

/* Begins an event with its members that all events have. */
static void put_event(
    struct trace_events *t, char kind, const char *name, uint32_t process, uint32_t track)
{
	buf_str(&t->bytes, t->any ? ",\n{" : "\n{");
	t->any = true;
	buf_printf(&t->bytes, "\"ph\":\"%c\",\"pid\":%" PRIu32, kind, process);
	if (track)
		buf_printf(&t->bytes, ",\"tid\":%" PRIu64, thread_number(process, track));
	buf_str(&t->bytes, ",\"name\":");
	doc_put_text(&t->bytes, text_of(name));
}

/* Appends a metadata event with one argument. */
static void put_about(struct trace_events *t, const char *event, uint32_t process,
    uint32_t track, struct trace_arg arg)
{
	put_event(t, 'M', event, process, track);
	buf_str(&t->bytes, ",\"args\":");
	put_args(&t->bytes, &arg, 1);
	buf_byte(&t->bytes, '}');
}

void trace_events_begin(
    struct trace_events *t, int64_t zero_ns, const struct trace_arg *about, size_t abouts)
{
	*t = (struct trace_events){ .zero_ns = zero_ns };
	buf_str(&t->bytes, "{\"displayTimeUnit\":\"ns\",\"otherData\":");
	put_args(&t->bytes, about, abouts);
	buf_str(&t->bytes, ",\"traceEvents\":[");
}

void trace_events_process(struct trace_events *t, uint32_t process, const char *name)
{
	put_about(t, "process_name", process, 0, (struct trace_arg){ "name", name, 0 });
	put_about(t, "process_sort_index", process, 0,
	    (struct trace_arg){ "sort_index", NULL, process });
}

void trace_events_track(
    struct trace_events *t, uint32_t process, uint32_t track, const char *name)
{
	put_about(t, "thread_name", process, track, (struct trace_arg){ "name", name, 0 });
	put_about(t, "thread_sort_index", process, track,
	    (struct trace_arg){ "sort_index", NULL, track });
}

void trace_events_span(struct trace_events *t, const struct trace_span *s)
{
	put_event(t, 'X', s->name, s->process, s->track);
	buf_str(&t->bytes, ",\"cat\":");
	doc_put_text(&t->bytes, text_of(s->category));
	buf_str(&t->bytes, ",\"ts\":");
	put_us(&t->bytes, s->start_ns - t->zero_ns);
	buf_str(&t->bytes, ",\"dur\":");
	put_us(&t->bytes, (int64_t)s->duration_ns);
	if (s->args) {
		buf_str(&t->bytes, ",\"args\":");
		put_args(&t->bytes, s->arg, s->args);
	}
	buf_byte(&t->bytes, '}');
}

void trace_events_end(struct trace_events *t)
{
	buf_str(&t->bytes, "\n]}\n");
}
