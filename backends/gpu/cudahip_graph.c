/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records work as graphs, and measures time with events; see the hooks in gpu_driver.h.
 */
#include <math.h>

#include "cudahip_priv.h"

/* Calls that could disturb the recording fail in this thread only:
 * cudaStreamCaptureModeThreadLocal in both. */
enum { CAPTURE_IN_THREAD = 1 };

static bool cudahip_has_graphs(const struct cudahip_api *api)
{
	return api->stream_record && api->stream_recorded && api->graph_prepare &&
	       api->graph_launch && api->graph_free && api->graph_drop && api->set_int;
}

int cudahip_record(struct gpu *g, char *why)
{
	const struct cudahip *c = cudahip_enter(g);

	if (!cudahip_has_graphs(&c->api))
		return hook_fail(why, "the driver has no graphs");
	const int error = c->api.stream_record(c->stream, CAPTURE_IN_THREAD);

	return error ? cudahip_fail(&c->api, why, "recording", error) : 0;
}

void *cudahip_recorded(struct gpu *g, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	void *graph = NULL, *ready = NULL;
	int error = c->api.stream_recorded(c->stream, &graph);

	if (!error)
		error = c->api.graph_prepare(&ready, graph, 0);
	if (graph)
		c->api.graph_drop(graph);
	if (!error && c->api.graph_upload)
		error = c->api.graph_upload(ready, c->stream);
	if (!error)
		error = c->api.stream_wait(c->stream);
	if (!error)
		return ready;
	if (ready)
		c->api.graph_free(ready);
	cudahip_fail(&c->api, why, "recording", error);
	return NULL;
}

int cudahip_replay(struct gpu *g, void *graph, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	const int error = c->api.graph_launch(graph, c->stream);

	return error ? cudahip_fail(&c->api, why, "starting a graph", error) : 0;
}

void cudahip_forget(struct gpu *g, void *graph)
{
	const struct cudahip *c = cudahip_enter(g);

	c->api.graph_free(graph);
}

int cudahip_write_int(struct gpu *g, void *buffer, int32_t value, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	const int error = c->api.set_int(buffer, (uint32_t)value, 1, c->stream);

	return error ? cudahip_fail(&c->api, why, "writing to the device", error) : 0;
}

uint64_t cudahip_context(struct gpu *g)
{
	const struct cudahip *c = g->device;

	return c->context_bytes;
}

void *cudahip_event(struct gpu *g)
{
	const struct cudahip *c = cudahip_enter(g);
	void *event = NULL;

	if (!c->api.event_create || !c->api.event_destroy || !c->api.event_record ||
	    !c->api.event_elapsed || c->api.event_create(&event, 0))
		return NULL;
	return event;
}

void cudahip_event_drop(struct gpu *g, void *event)
{
	const struct cudahip *c = cudahip_enter(g);

	c->api.event_destroy(event);
}

int cudahip_event_mark(struct gpu *g, void *event, char *why)
{
	enum { EVENT_IN_GRAPH = 1 }; /* cudaEventRecordExternal in both */
	const struct cudahip *c = cudahip_enter(g);
	const int error =
	    c->api.event_record(event, c->stream, g->recording ? EVENT_IN_GRAPH : 0);

	return error ? cudahip_fail(&c->api, why, "recording an event", error) : 0;
}

int cudahip_event_between(struct gpu *g, void *from, void *to, double *ns, char *why)
{
	const struct cudahip *c = cudahip_enter(g);
	float ms = 0;
	const int error = c->api.event_elapsed(&ms, from, to);

	*ns = rint((double)ms * 1e6);
	return error ? cudahip_fail(&c->api, why, "reading an event", error) : 0;
}
