/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list on a device with given parameters; see compute.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph/dtype.h"
#include "graph/graph_quantize.h"
#include "graph/placement.h"
#include "subject/compute.h"
#include "subject/compute_file.h"
#include "subject/unmeasurable.h"
#include "sys/procfs.h"
#include "text/near_name.h"
#include "text/units.h"

/* Threads of a backend, and threads of an engine for each processor. */
enum { THREADS_MAX = 4096, SPINNING_MAX = 16 };

/* The driver of a device and its programs need the rest of its memory. */
static const double usable = 0.95;

static const char *factor_value(const struct subject *s, const char *name)
{
	for (size_t i = 0; i < s->factors; i++)
		if (strcmp(s->factor[i].name, name) == 0)
			return s->factor[i].value;
	return NULL;
}

static bool is_symbol(const struct compute *c, const char *name)
{
	if (c->whole)
		return compute_file_has_dimension(c, name);

	const struct model_symbol *symbol;
	size_t count = model_symbols(c->model, &symbol);

	for (size_t i = 0; i < count; i++)
		if (strcmp(symbol[i].name, name) == 0)
			return true;
	return false;
}

struct binding *compute_symbols(const struct subject *s, size_t *count)
{
	struct binding *param = mem_zero(s->factors + 1, sizeof(*param));

	*count = 0;
	for (size_t i = 0; i < s->factors; i++)
		if (is_symbol(s->from->compute, s->factor[i].name))
			param[(*count)++] = s->factor[i];
	return param;
}

static int read_count(
    const struct subject *s, const char *name, uint64_t *out, struct fault *f)
{
	const char *text = factor_value(s, name);

	*out = 0;
	if (text && units_count(text, out, f) < 0)
		return fault_prefix(f, "-P %s", name);
	return 0;
}

/* Skips a subject with very many threads. The threads of an engine spin while they wait for
 * each other, so that loading a model could take minutes. */
static void check_threads(struct subject *s)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const uint64_t most = (uint64_t)(processors > 0 ? processors : 1) * SPINNING_MAX;

	if (!s->from->compute->has_engine || s->work->threads <= most || s->skipped)
		return;
	s->unsupported = true;
	s->skipped = str_format("%" PRIu64 " threads are too many for an engine on this "
	                        "machine; use at most %" PRIu64 ", %d for each processor",
	    s->work->threads, most, SPINNING_MAX);
}

/* Reads the number of threads for the backend; 0 if the backend does not use it. */
static int read_threads(struct subject *s, struct fault *f)
{
	const char *text = factor_value(s, "threads");

	if (!s->from->compute->threads || !text)
		return 0;
	if (read_count(s, "threads", &s->work->threads, f) < 0)
		return -1;
	if (s->work->threads < 1 || s->work->threads > THREADS_MAX)
		return fault_set(
		    f, "-P threads: %s is not between 1 and %d", text, THREADS_MAX);
	check_threads(s);
	return 0;
}

static int read_dtype(struct subject *s, struct fault *f)
{
	const struct compute *c = s->from->compute;
	const char *name = factor_value(s, "dtype");
	int dtype = dtype_find(name);

	if (dtype < 0) {
		struct known_names known = { 0 };

		for (int i = 0; i <= BACKEND_INT8; i++)
			known_names_add(&known, text_of(dtype_name((enum backend_dtype)i)));
		return unknown_name(f, "-P dtype: unknown value", text_of(name), &known);
	}
	s->work->dtype = (enum backend_dtype)dtype;
	if (c->dtypes >> dtype & 1 || c->has_engine)
		return 0;
	s->unsupported = true;
	s->skipped =
	    str_format("%s does not compute in %s%s%s%s", factor_value(s, "device"), name,
	        c->detail ? " (" : "", c->detail ? c->detail : "", c->detail ? ")" : "");
	return 0;
}

/* Replaces the name of the element type by its canonical name. */
static void name_dtype(struct subject *s)
{
	for (size_t i = 0; i < s->factors; i++)
		if (strcmp(s->factor[i].name, "dtype") == 0)
			s->factor[i].value = dtype_name(s->work->dtype);
}

static int expand_list(
    const struct subject *s, enum model_phase phase, struct graph *g, struct fault *f)
{
	size_t count;
	struct binding *param = compute_symbols(s, &count);
	const struct model_expand_opts opts = {
		.param = param, .params = count, .phase = phase, .dtype = s->work->dtype
	};
	int status = model_expand(s->from->compute->model, &opts, g, f);

	free(param);
	return status;
}

static void measure_phase(struct subject *s, const struct graph *g, double *arena_bytes)
{
	struct placement p;

	placement_make(g, &p);
	if ((double)p.held_bytes > s->work->memory_bytes)
		s->work->memory_bytes = (double)p.held_bytes;
	if ((double)p.arena_bytes > *arena_bytes)
		*arena_bytes = (double)p.arena_bytes;
	placement_free(&p);
}

/* Returns the operations of a graph that matrix products do. */
static double matrix_flops(const struct graph *g)
{
	double sum = 0;

	for (size_t i = 0; i < g->nodes; i++)
		switch (g->node[i].op.kind) {
		case BACKEND_GEMM:
		case BACKEND_CONV:
		case BACKEND_ATTENTION:
		case BACKEND_EXPERTS:
		case BACKEND_QGEMM:
		case BACKEND_QCONV:
		case BACKEND_QEXPERTS:
			sum += g->node[i].flops;
			break;
		default:
			break;
		}
	return sum;
}

/* Returns the available memory of the machine, including reclaimable page cache. */
static double host_bytes(void)
{
	struct buf text = { 0 };
	struct fault ignored;
	uint64_t kib = 0;
	bool told = file_read("/proc/meminfo", &text, &ignored) == 0 &&
	            procfs_value(text_in(&text), "MemAvailable", &kib);

	buf_free(&text);
	return told ? (double)kib * 1024 : 0;
}

static double available_bytes(const struct compute *c)
{
	return c->on_host ? host_bytes() : c->memory_bytes * usable;
}

/* Returns the memory that all instances of a subject need on one device. */
static double taken_bytes(const struct subject *s)
{
	const struct compute *c = s->from->compute;
	uint32_t instances = s->workers * s->threads, devices = c->on_host ? 1 : c->devices;

	return s->work->memory_bytes * ((instances + devices - 1) / devices);
}

static void check_memory(struct subject *s)
{
	double has = available_bytes(s->from->compute), wants = taken_bytes(s);
	char has_text[32], wants_text[32];

	if (has <= 0 || wants <= has || s->skipped)
		return;
	units_print(has_text, sizeof(has_text), has, "B");
	units_print(wants_text, sizeof(wants_text), wants, "B");
	s->skipped = str_format(
	    "it needs %s, and %s has %s", wants_text, factor_value(s, "device"), has_text);
}

uint32_t compute_devices(const struct subject *s)
{
	uint32_t instances = s->workers * s->threads, devices = s->from->compute->devices;

	return instances < devices ? instances : devices;
}

/* Names only the devices that the subject's instances use. */
static void name_devices(struct subject *s)
{
	uint32_t used = compute_devices(s);

	for (size_t i = 0; i < s->factors && used < s->from->compute->devices; i++) {
		const char *end = s->factor[i].value;

		if (strcmp(s->factor[i].name, "device") != 0)
			continue;
		for (uint32_t k = 0; k < used; k++)
			end = strstr(end + (k > 0), " + ");
		s->devices =
		    mem_text(s->factor[i].value, (size_t)(end - s->factor[i].value));
		s->factor[i].value = s->devices;
	}
}

static void add_shape(struct subject *s)
{
	s->factor = mem_resize(s->factor, s->factors + 1, sizeof(*s->factor));
	s->factor[s->factors++] = (struct binding){ "input_shape", s->input_shape };
}

/* Expands an ONNX file that an engine runs. Returns 0, or -1 and the message. */
static int expand_imported(const struct subject *s, struct graph *g, struct fault *f)
{
	size_t count;
	struct binding *param;
	int status;

	if (!s->from->compute->imported)
		return fault_set(f, "it is not an ONNX file");
	param = compute_symbols(s, &count);
	const struct model_expand_opts opts = {
		.param = param, .params = count, .dtype = BACKEND_FLOAT32
	};

	status = model_expand(s->from->compute->imported, &opts, g, f);
	free(param);
	return status == 0 ? 0 : -1;
}

/* Counts the work of a model file, if its operators are known. */
static void count_imported(struct subject *s)
{
	struct work *w = s->work;
	struct graph g = { 0 };
	struct fault ignored;

	if (expand_imported(s, &g, &ignored) == 0) {
		w->macs = g.macs;
		w->params = g.params;
		w->flops = g.flops;
		w->matrix_flops = matrix_flops(&g);
	}
	graph_free(&g);
}

/* Computes the shapes of a model file. */
static int finish_file(struct subject *s, struct fault *f)
{
	s->work = mem_zero(1, sizeof(*s->work));
	if (read_threads(s, f) < 0 || compute_file_finish(s, f) < 0)
		return -1;
	count_imported(s);
	name_devices(s);
	check_memory(s);
	add_shape(s);
	return 0;
}

/* Computes the work and the memory of a subject whose phases are these; the step has no
 * nodes if there is none. */
static void sum_work(
    struct subject *s, const struct graph *forward, const struct graph *step)
{
	struct work *w = s->work;
	double arena_bytes = 0;

	w->samples = forward->samples;
	w->tokens =
	    w->new_tokens ? forward->samples * (double)w->new_tokens : forward->tokens;
	w->macs = forward->macs;
	w->int8_share = graph_quantized_share(forward);
	w->params = forward->params;
	w->flops = w->new_tokens ? 0 : forward->flops;
	w->matrix_flops = w->new_tokens ? 0 : matrix_flops(forward);
	w->bytes = s->from->kind == KIND_KERNEL ? forward->bytes : 0;
	measure_phase(s, forward, &arena_bytes);
	if (step->nodes)
		measure_phase(s, step, &arena_bytes);
	w->memory_bytes += arena_bytes;
}

int compute_finish(struct subject *s, struct fault *f)
{
	struct graph forward = { 0 }, step = { 0 };
	struct fault why;
	int status;

	if (s->from->compute->whole)
		return finish_file(s, f);
	s->work = mem_zero(1, sizeof(*s->work));
	if (read_dtype(s, f) < 0 || read_threads(s, f) < 0 ||
	    read_count(s, "new_tokens", &s->work->new_tokens, f) < 0)
		return -1;
	name_dtype(s);
	name_devices(s);
	status = expand_list(s, MODEL_FORWARD, &forward, &why);
	if (status == MODEL_UNSUPPORTED) {
		free(s->skipped);
		s->unsupported = true;
		s->skipped = str_copy(why.text);
	} else if (status < 0 || (s->work->new_tokens > 1 &&
	                             expand_list(s, MODEL_STEP, &step, &why) < 0)) {
		free(s->skipped);
		s->unsupported = false;
		subject_set_absent(s, &why);
	} else {
		sum_work(s, &forward, &step);
		check_memory(s);
		s->input_shape = str_copy(forward.input_shape ? forward.input_shape : "");
		add_shape(s);
	}
	graph_free(&forward);
	graph_free(&step);
	return 0;
}

int compute_graph(const struct subject *s, struct graph *g, struct fault *f)
{
	return s->from->compute->whole                    ? expand_imported(s, g, f)
	       : expand_list(s, MODEL_FORWARD, g, f) == 0 ? 0
	                                                  : -1;
}

int computes_check_reference(const struct subjects *list, struct fault *f)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct subject *s = &list->subject[i];
		struct graph g = { 0 };
		struct fault why;

		if (s->work && s->from->compute->whole && expand_imported(s, &g, &why) < 0)
			return fault_set(f, "--check: there is no reference for %s: %s",
			    s->from->list, why.text);
		graph_free(&g);
	}
	return 0;
}

static bool same_devices(const struct compute *a, const struct compute *b)
{
	return strcmp(a->backend, b->backend) == 0 && a->devices == b->devices &&
	       memcmp(a->device, b->device, a->devices * sizeof(*a->device)) == 0;
}

bool computes_fit(const struct subjects *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct compute *c = list->subject[i].from->compute;
		double sum = 0;

		if (!c || list->subject[i].skipped)
			continue;
		for (size_t k = 0; k < list->count; k++) {
			const struct subject *other = &list->subject[k];
			const struct compute *d = other->from->compute;

			if (d && !other->skipped && c->on_host == d->on_host &&
			    (c->on_host || same_devices(c, d)))
				sum += taken_bytes(other);
		}
		if (available_bytes(c) > 0 && sum > available_bytes(c))
			return false;
	}
	return true;
}
