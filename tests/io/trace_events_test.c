/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time lines: the text of a document, and that a reader of JSON finds in it what was
 * written.
 */
#include <stdlib.h>
#include <string.h>

#include "io/json_doc.h"
#include "io/trace_events.h"
#include "tests/lib/tap.h"

static void writes_empty(void)
{
	struct trace_events t;

	trace_events_begin(&t, 0, NULL, 0);
	trace_events_end(&t);
	tap_text(t.bytes.ptr,
	    "{\"displayTimeUnit\":\"ns\",\"otherData\":{},\"traceEvents\":[\n]}\n",
	    "a document without spans is complete");
	buf_free(&t.bytes);
}

static void writes_document(void)
{
	static const struct trace_arg about[] = { { "run", "7", 0 } },
	                              arg[] = { { "kind", "gemm", 0 },
		                              { "iterations", NULL, 3 } };
	struct trace_events t;

	trace_events_begin(&t, 1000000, about, COUNT(about));
	trace_events_process(&t, 2, "a \"b\"\n");
	trace_events_track(&t, 2, 1, "host");
	trace_events_span(
	    &t, &(struct trace_span){ 2, 1, "op", "operation", 1001234, 5006.9, arg, 2 });
	trace_events_span(
	    &t, &(struct trace_span){ 2, 1, "early", "phase", 999999, 0, NULL, 0 });
	trace_events_end(&t);
	tap_text(t.bytes.ptr,
	    "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"run\":\"7\"},\"traceEvents\":[\n"
	    "{\"ph\":\"M\",\"pid\":2,\"name\":\"process_name\",\"args\":{\"name\":\"a "
	    "\\\"b\\\"\\n\"}},\n"
	    "{\"ph\":\"M\",\"pid\":2,\"name\":\"process_sort_index\",\"args\":"
	    "{\"sort_index\":2}},\n"
	    "{\"ph\":\"M\",\"pid\":2,\"tid\":2001,\"name\":\"thread_name\",\"args\":"
	    "{\"name\":\"host\"}},\n"
	    "{\"ph\":\"M\",\"pid\":2,\"tid\":2001,\"name\":\"thread_sort_index\",\"args\":"
	    "{\"sort_index\":1}},\n"
	    "{\"ph\":\"X\",\"pid\":2,\"tid\":2001,\"name\":\"op\",\"cat\":\"operation\","
	    "\"ts\":1.234,\"dur\":5.006,\"args\":{\"kind\":\"gemm\",\"iterations\":3}},\n"
	    "{\"ph\":\"X\",\"pid\":2,\"tid\":2001,\"name\":\"early\",\"cat\":\"phase\","
	    "\"ts\":-0.001,\"dur\":0.000}\n"
	    "]}\n",
	    "a document has metadata, and spans in microseconds");
	buf_free(&t.bytes);
}

static void numbers_threads(void)
{
	struct trace_events t;

	trace_events_begin(&t, 0, NULL, 0);
	trace_events_track(&t, UINT32_MAX, TRACE_TRACKS_MAX, "device");
	trace_events_end(&t);
	tap_ok(strstr(t.bytes.ptr, "\"pid\":4294967295,\"tid\":4294967295999,"),
	    "the last track of the last process has its own number");
	buf_free(&t.bytes);
}

/* Times of a machine that has run for 100 years, of which a double would lose nanoseconds.
 */
static void keeps_times(void)
{
	const int64_t late_ns = INT64_C(3155760000) * 1000000000 + 1;
	struct trace_events t;
	struct json_t *doc;
	struct fault f;
	double ts;

	trace_events_begin(&t, late_ns - 1, NULL, 0);
	trace_events_span(
	    &t, &(struct trace_span){ 1, 1, "\xff", "c", late_ns, 1, NULL, 0 });
	trace_events_end(&t);
	doc = doc_read(text_in(&t.bytes), "trace", &f);
	tap_ok(doc != NULL, "a name that is not UTF-8 gives valid JSON");
	tap_ok(doc &&
	           doc_number(doc_member(doc_item(doc_member(doc, "traceEvents"), 0), "ts"),
	               &ts) &&
	           ts == 0.001,
	    "a start has nanoseconds, however long the machine has run");
	doc_free(doc);
	buf_free(&t.bytes);
}

int main(void)
{
	writes_empty();
	writes_document();
	numbers_threads();
	keeps_times();
	return tap_end();
}
