/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams, graphs and events of the fake driver. Work is done when it is enqueued. The
 * clock of the device advances by the time that each work takes by definition.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

/* Work of a graph. */
struct node {
	struct node *next;
	int (*work)(const void *data);
	double us;
	size_t bytes;
	_Alignas(16) char data[];
};

struct graph {
	struct node *first, **last;
	unsigned nodes, users;
};

struct stream {
	struct graph *captured; /* NULL if it is not being captured */
	bool spoiled;
};

struct event {
	double us;
	bool recorded;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double clock_us;
static struct stream *capturing; /* the last stream whose capture began */

bool fake_is_capturing(void *stream)
{
	return stream && ((struct stream *)stream)->captured;
}

bool fake_spoil_capture(void)
{
	if (!capturing)
		return false;
	capturing->spoiled = true;
	return true;
}

int fake_enqueue(
    void *stream, int (*work)(const void *), const void *data, size_t bytes, double us)
{
	struct stream *s = stream;

	if (fake_is_capturing(s)) {
		struct node *n = calloc(1, sizeof(*n) + bytes);

		n->work = work;
		n->us = us;
		n->bytes = bytes;
		memcpy(n->data, data, bytes);
		*s->captured->last = n;
		s->captured->last = &n->next;
		s->captured->nodes++;
		return FAKE_OK;
	}
	pthread_mutex_lock(&lock);
	const int error = work(data);
	clock_us += us;
	pthread_mutex_unlock(&lock);
	return error;
}

FAKE_API int cuStreamCreate(struct stream **stream, unsigned flags)
{
	const int error = fake_called(__func__, "%u", flags);

	*stream = error ? NULL : calloc(1, sizeof(**stream));
	return error;
}

FAKE_API int cuStreamDestroy_v2(struct stream *stream)
{
	free(stream);
	return fake_called(__func__, "%s", "");
}

FAKE_API int cuStreamSynchronize(struct stream *stream)
{
	const int error = fake_called(__func__, "%s", "");

	if (fake_is_capturing(stream)) {
		stream->spoiled = true;
		return FAKE_CAPTURE_UNSUPPORTED;
	}
	return error;
}

static void graph_free(struct graph *g)
{
	if (--g->users > 0)
		return;
	for (struct node *n = g->first, *next; n; n = next) {
		next = n->next;
		free(n);
	}
	free(g);
}

FAKE_API int cuStreamBeginCapture_v2(struct stream *stream, int mode)
{
	const int error = fake_called(__func__, "%d", mode);

	if (error)
		return error;
	if (!stream || stream->captured)
		return FAKE_CAPTURE_UNSUPPORTED;
	stream->captured = calloc(1, sizeof(*stream->captured));
	stream->captured->last = &stream->captured->first;
	stream->captured->users = 1;
	stream->spoiled = false;
	capturing = stream;
	return FAKE_OK;
}

FAKE_API int cuStreamEndCapture(struct stream *stream, struct graph **graph)
{
	int error =
	    fake_called(__func__, "%u", stream->captured ? stream->captured->nodes : 0);

	*graph = stream->captured;
	stream->captured = NULL;
	capturing = NULL;
	if (!*graph)
		return FAKE_INVALID_VALUE;
	if (stream->spoiled)
		error = FAKE_CAPTURE_INVALIDATED;
	if (error) {
		graph_free(*graph);
		*graph = NULL;
	}
	return error;
}

/* An executable graph is the graph. */
FAKE_API int cuGraphInstantiateWithFlags(
    struct graph **executable, struct graph *graph, unsigned long long flags)
{
	const int error = fake_called(__func__, "%llu", flags);

	*executable = error ? NULL : graph;
	graph->users += !error;
	return error;
}

FAKE_API int cuGraphDestroy(struct graph *graph)
{
	graph_free(graph);
	return fake_called(__func__, "%s", "");
}

FAKE_API int cuGraphExecDestroy(struct graph *graph)
{
	return cuGraphDestroy(graph);
}

FAKE_API int cuGraphUpload(struct graph *graph, struct stream *stream)
{
	return stream->captured ? FAKE_CAPTURE_UNSUPPORTED
	                        : fake_called(__func__, "%u", graph->nodes);
}

FAKE_API int cuGraphLaunch(struct graph *graph, struct stream *stream)
{
	int error = fake_called(__func__, "%u", graph->nodes);

	for (const struct node *n = graph->first; n && !error; n = n->next)
		error = fake_enqueue(stream, n->work, n->data, n->bytes, n->us);
	return error;
}

FAKE_API int cuEventCreate(struct event **event, unsigned flags)
{
	const int error = fake_called(__func__, "%u", flags);

	*event = error ? NULL : calloc(1, sizeof(**event));
	return error;
}

FAKE_API int cuEventDestroy_v2(struct event *event)
{
	free(event);
	return fake_called(__func__, "%s", "");
}

FAKE_API int cuEventRecord(struct event *event, struct stream *stream)
{
	const int error = fake_called(__func__, "%s", "");

	if (fake_is_capturing(stream))
		return FAKE_CAPTURE_UNSUPPORTED;
	*event = (struct event){ .us = clock_us, .recorded = true };
	return error;
}

/* An event that a graph records. */
static int event_run(const void *data)
{
	struct event *const *event = data;

	**event = (struct event){ .us = clock_us, .recorded = true };
	return FAKE_OK;
}

FAKE_API int cuEventRecordWithFlags(
    struct event *event, struct stream *stream, unsigned flags)
{
	enum { IN_GRAPH = 1 };
	const int error = fake_called(__func__, "%u", flags);

	if (fake_is_capturing(stream) != (flags == IN_GRAPH))
		return FAKE_CAPTURE_UNSUPPORTED;
	return error ? error : fake_enqueue(stream, event_run, &event, sizeof(event), 0);
}

FAKE_API int cuEventSynchronize(struct event *event)
{
	const int error = fake_called(__func__, "%s", "");

	return event->recorded ? error : FAKE_INVALID_VALUE;
}

FAKE_API int cuEventElapsedTime(float *ms, const struct event *from, const struct event *to)
{
	const int error = fake_called(__func__, "%s", "");

	if (!from->recorded || !to->recorded)
		return FAKE_INVALID_VALUE;
	*ms = (float)((to->us - from->us) / 1000);
	return error;
}
