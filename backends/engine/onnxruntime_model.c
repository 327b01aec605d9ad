/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads models; see onnxruntime_model.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/hook/hook.h"
#include "engine_mute.h"
#include "onnxruntime_model.h"
#include "onnxruntime_options.h"

struct ort_session *ort_session_make(struct backend_model *m, char *why)
{
	const struct ort *o = m->session->ort;
	/* Libraries of providers print. */
	const bool mute = m->session->target.device != NULL;
	struct engine_mute muted = { -1, -1 };
	struct ort_session *session = NULL;
	struct ort_status *status;

	ort_complaint_clear();
	if (mute)
		muted = engine_mute_begin();
	status = m->path ? o->api.session_new(o->env, m->path, m->options, &session)
	                 : o->api.session_new_bytes(
	                       o->env, m->bytes, m->size, m->options, &session);
	if (mute)
		engine_mute_end(muted);
	if (ort_check(o, status, "", why) == 0)
		return session;
	/* The path is in the message of the program. */
	static const char before[] = "Load model from ", after[] = " failed:";
	const char *rest = strstr(why, after);

	if (strncmp(why, before, sizeof(before) - 1) == 0 && rest) {
		rest += sizeof(after) - 1;
		memmove(why, rest, strlen(rest) + 1);
	}
	return NULL;
}

/* Counts the nodes that another provider than the chosen one runs. Stores -1 if this
 * version of ONNX Runtime does not report them. */
static int count_fallback(struct backend_model *m, char *why)
{
	const struct ort *o = m->session->ort;
	const struct ort_target *t = &m->session->target;
	const struct ort_subgraph *const *graph = NULL;
	size_t graphs = 0, own = 0, other = 0;

	m->fallback_ops = t->name || t->family >= 0 ? -1 : 0;
	if (!o->api.assignment)
		return 0;
	if (ort_check(o, o->api.assignment(m->own, &graph, &graphs), "", why))
		return -1;
	for (size_t i = 0; i < graphs; i++) {
		const struct ort_node *const *node = NULL;
		const char *provider = "";
		size_t nodes = 0;

		if (ort_check(o, o->api.subgraph_provider(graph[i], &provider), "", why) ||
		    ort_check(o, o->api.subgraph_nodes(graph[i], &node, &nodes), "", why))
			return -1;
		*(strcmp(provider, t->provider) == 0 ? &own : &other) += nodes;
	}
	m->fallback_ops = (long)other;
	if (!own && other)
		return hook_fail(why,
		    "%s runs none of the %zu operations of this model: all would run on "
		    "the processor%s%.120s",
		    t->word, other, *ort_complaint() ? "; it reports: " : "",
		    ort_complaint());
	return 0;
}

/* Checks that every given dimension is one of an input: the library ignores others. */
static int check_dimensions(
    const struct backend_model *m, const struct backend_model_source *from, char *why)
{
	for (size_t i = 0; i < from->dimensions; i++) {
		bool found = false;

		for (size_t p = 0; p < m->inputs; p++)
			for (uint32_t d = 0; d < m->port[p].about.dims; d++)
				found |= m->port[p].about.size[d] ==
				         strtoll(from->dimension[i].value, NULL, 10);
		if (!found)
			return hook_fail(why, "no input has an open dimension '%s'",
			    from->dimension[i].name);
	}
	return 0;
}

/* Opens the allocator of the device, which counts its memory. Only those of the processor
 * and of CUDA have all memory of a model; others leave it NULL. */
static void open_allocator(struct backend_model *m)
{
	const struct ort *o = m->session->ort;
	const struct ort_target *t = &m->session->target;
	const char *name = t->device ? NULL : t->family == ORT_CUDA ? "Cuda" : "Cpu";
	struct ort_memory_info *where = NULL;
	char why[BACKEND_WHY];

	if (!name || (t->name && t->family != ORT_CUDA) || !o->api.allocator_stats ||
	    ort_check(o,
	        o->api.memory_new(name, ORT_ALLOCATOR_ARENA, 0, ORT_MEMORY_DEFAULT, &where),
	        "", why))
		return;
	if (ort_check(o, o->api.allocator_new(m->own, where, &m->allocator), "", why))
		m->allocator = NULL;
	o->api.memory_free(where);
}

static int load(struct backend_model *m, const struct backend_model_source *from, char *why)
{
	const struct backend_session *s = m->session;

	m->bytes = from->bytes;
	m->size = from->size;
	if (!from->bytes) {
		struct stat st;

		if (stat(from->path, &st) || access(from->path, R_OK))
			return hook_fail(why, "%s", strerror(errno));
		if (!S_ISREG(st.st_mode))
			return hook_fail(why, "not a regular file");
		m->path = strdup(from->path);
	}
	if (!from->bytes && !m->path)
		return hook_fail(why, "out of memory");
	m->options = ort_options_make(
	    s->ort, &s->target, s->threads, from, m->cache, sizeof(m->cache), why);
	if (!m->options)
		return -1;
	m->own = ort_session_make(m, why);
	if (!m->own || count_fallback(m, why) || ort_ports_open(m, why))
		return -1;
	open_allocator(m);
	return check_dimensions(m, from, why);
}

struct backend_model *ort_model_load(
    struct backend_session *s, const struct backend_model_source *from, char *why)
{
	struct backend_model *m = calloc(1, sizeof(*m));

	if (!m) {
		hook_fail(why, "out of memory");
		return NULL;
	}
	m->session = s;
	if (load(m, from, why) == 0) {
		s->model = m;
		return m;
	}
	ort_model_unload(m);
	return NULL;
}

void ort_model_unload(struct backend_model *m)
{
	const struct ort *o = m->session->ort;

	ort_ports_close(m);
	if (m->session->model == m)
		m->session->model = NULL;
	if (m->allocator)
		o->api.allocator_free(m->allocator);
	if (m->own)
		o->api.session_free(m->own);
	if (m->options)
		o->api.options_free(m->options);
	free(m->path);
	free(m);
}

void ort_model_facts(struct backend_model *m, backend_report_fact *report, void *context)
{
	const struct backend_session *s = m->session;
	char text[128];

	snprintf(text, sizeof(text), "onnxruntime %s", s->ort->version);
	report(context, "engine", text);
	snprintf(text, sizeof(text), "%u", (unsigned)ort_threads(s->threads));
	report(context, "threads", text);
	report(context, "cache", m->cache);
	if (s->target.emulator)
		report(context, "emulated", s->target.emulator);
	if (m->fallback_ops >= 0) {
		snprintf(text, sizeof(text), "%ld", m->fallback_ops);
		report(context, "fallback_ops", text);
	}
}

uint64_t ort_model_memory(struct backend_session *s)
{
	const struct ort *o = s->ort;
	struct ort_pairs *stats = NULL;
	char why[BACKEND_WHY];
	const char *total;
	uint64_t bytes = 0;

	if (!s->model || !s->model->allocator ||
	    ort_check(o, o->api.allocator_stats(s->model->allocator, &stats), "", why))
		return 0;
	total = o->api.pairs_get(stats, "TotalAllocated");
	if (total)
		bytes = strtoull(total, NULL, 10);
	o->api.pairs_free(stats);
	return bytes;
}
