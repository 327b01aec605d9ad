/*
 * Calls of kernels; see gpu_call.h. Programs and kernels are looked up by what they are
 * built for in short lists: a model has a few dozens.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_call.h"

static const struct {
	const char *name;
	size_t bytes;
} dtypes[BACKEND_DTYPES] = {
	[BACKEND_FLOAT32] = { "float32", 4 },
	[BACKEND_FLOAT64] = { "float64", 8 },
	[BACKEND_FLOAT16] = { "float16", 2 },
	[BACKEND_BFLOAT16] = { "bfloat16", 2 },
	[BACKEND_INT8] = { "int8", 1 },
	[BACKEND_INT32] = { "int32", 4 },
	[BACKEND_UINT8] = { "uint8", 1 },
};

size_t gpu_dtype_bytes(enum backend_dtype dtype)
{
	return dtypes[dtype].bytes;
}

const char *gpu_dtype_name(enum backend_dtype dtype)
{
	return dtypes[dtype].name;
}

uint32_t gpu_group(const struct gpu *g)
{
	return g->wide ? 128 : 256;
}

uint32_t gpu_row_group(const struct gpu *g)
{
	return g->wide ? 1 : 256;
}

/* On a processor as many as fill its pipelines with vectors. */
int64_t gpu_chains(const struct gpu *g, enum backend_dtype dtype)
{
	if (!g->wide)
		return 8;
	return dtype == BACKEND_FLOAT64 ? 40 : 80;
}

/* Whether R is double: of float64, and of int32, which a float cannot hold. */
static bool is_wide(const struct gpu *g, enum backend_dtype a, enum backend_dtype b)
{
	if (a == BACKEND_FLOAT64 || b == BACKEND_FLOAT64)
		return true;
	return a == BACKEND_INT32 && b == BACKEND_INT32 && g->dtypes >> BACKEND_FLOAT64 & 1;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t cap = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &cap, '\0', file) < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

/* prelude, common.cl and the file, one after the other */
static char *source_of(struct gpu *g, const char *file, char *why)
{
	const char *part[] = { g->driver->prelude, "common", file };
	char *all = NULL;
	size_t length = 0;

	for (size_t i = 0; i < 3; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/backends/%s%s", g->share_dir, part[i],
		    i == 0 ? "" : ".cl");
		char *text = read_file(path);
		size_t size = text ? strlen(text) : 0;
		char *more = text ? realloc(all, length + size + 1) : NULL;

		if (!more) {
			gpu_fail(why, "%s: cannot be read", path);
			free(text);
			free(all);
			return NULL;
		}
		all = more;
		memcpy(all + length, text, size + 1);
		length += size;
		free(text);
	}
	return all;
}

static void *find_program(struct gpu *g, const char *file, enum backend_dtype dtype,
    enum backend_dtype other, int64_t states, char *why)
{
	const char *real = is_wide(g, dtype, other) ? "double" : "float";
	const bool whole = dtype == BACKEND_INT8 && other == BACKEND_INT32;
	char options[512];

	snprintf(options, sizeof(options),
	    "-DFILE=%s -DTYPE_T=%s -DTYPE_U=%s -DTYPE_R=%s -DTYPE_A=%s -DGROUP=%u "
	    "-DROW_GROUP=%u -DLANES=%d "
	    "-DCHAINS=%d -DSTATES=%d%s%s",
	    file, dtypes[dtype].name, dtypes[other].name, real, whole ? "int" : real,
	    gpu_group(g), gpu_row_group(g), g->wide ? 16 : 1, (int)gpu_chains(g, dtype),
	    states ? (int)states : 1, whole ? " -DWHOLE" : "",
	    !g->wide                      ? ""
	    : strcmp(real, "double") == 0 ? " -DWIDE -DWIDTH=4"
	                                  : " -DWIDE -DWIDTH=8");
	for (size_t i = 0; i < g->programs; i++)
		if (strcmp(g->program[i].options, options) == 0)
			return g->program[i].handle;

	struct gpu_program *more =
	    realloc(g->program, (g->programs + 1) * sizeof(*g->program));
	if (!more) {
		gpu_fail(why, "out of memory");
		return NULL;
	}
	g->program = more;
	char *source = source_of(g, file, why);
	char *copy = strdup(options);
	void *handle = source && copy ? g->driver->build(g, source, options, why) : NULL;

	free(source);
	if (!handle) {
		free(copy);
		return NULL;
	}
	g->program[g->programs++] =
	    (struct gpu_program){ .options = copy, .handle = handle };
	return handle;
}

static void *find_kernel(struct gpu *g, const char *file, const char *name,
    enum backend_dtype dtype, enum backend_dtype other, int64_t states, char *why)
{
	for (size_t i = 0; i < g->kernels; i++) {
		const struct gpu_kernel *k = &g->kernel[i];

		if (k->name == name && k->file == file && k->dtype == dtype &&
		    k->other == other && k->states == states)
			return k->handle;
	}
	struct gpu_kernel *more = realloc(g->kernel, (g->kernels + 1) * sizeof(*g->kernel));
	if (!more) {
		gpu_fail(why, "out of memory");
		return NULL;
	}
	g->kernel = more;
	void *program = find_program(g, file, dtype, other, states, why);
	void *handle = program ? g->driver->kernel(g, program, name, why) : NULL;

	if (handle)
		g->kernel[g->kernels++] = (struct gpu_kernel){ .file = file,
			.name = name,
			.dtype = dtype,
			.other = other,
			.states = states,
			.handle = handle };
	return handle;
}

struct gpu_call call_begin(struct gpu *g, const char *file, const char *name,
    enum backend_dtype dtype, enum backend_dtype other, int64_t states, int64_t count,
    char *why)
{
	struct gpu_call c = { .gpu = g, .wide_real = is_wide(g, dtype, other) };

	c.kernel = find_kernel(g, file, name, dtype, other, states, why);
	c.count = count;
	call_int(&c, g->phase == GPU_RUN ? count : 0);
	return c;
}

static void push(struct gpu_call *c, struct gpu_arg arg)
{
	c->arg[c->args++] = arg;
}

void call_buffer(struct gpu_call *c, void *buffer, int64_t at)
{
	push(c, (struct gpu_arg){ .type = GPU_BUFFER, .value.buffer = buffer });
	call_long(c, buffer ? at : 0);
}

void call_tensor(struct gpu_call *c, const struct backend_tensor *t)
{
	call_buffer(c, tensor_handle(t), t ? t->offset : 0);
}

void call_int(struct gpu_call *c, int64_t value)
{
	push(c, (struct gpu_arg){ .type = GPU_INT, .value.i = (int32_t)value });
}

void call_ints(struct gpu_call *c, size_t count, const int64_t *value)
{
	for (size_t i = 0; i < count; i++)
		call_int(c, value[i]);
}

void call_long(struct gpu_call *c, int64_t value)
{
	push(c, (struct gpu_arg){ .type = GPU_LONG, .value.l = value });
}

void call_real(struct gpu_call *c, double value)
{
	if (c->wide_real)
		push(c, (struct gpu_arg){ .type = GPU_DOUBLE, .value.d = value });
	else
		push(c, (struct gpu_arg){ .type = GPU_FLOAT, .value.f = (float)value });
}

int call_go(struct gpu_call *c, int64_t groups, uint32_t group_size, char *why)
{
	if (!c->kernel)
		return -1;
	if (c->gpu->phase == GPU_MEASURE || groups <= 0)
		return 0;
	return c->gpu->driver->launch(
	    c->gpu, c->kernel, (uint32_t)groups, group_size, c->arg, c->args, why);
}

int call_each(struct gpu_call *c, int64_t each, char *why)
{
	const int64_t share = gpu_group(c->gpu) * each;

	return call_go(c, (c->count + share - 1) / share, gpu_group(c->gpu), why);
}

int call_rows(struct gpu_call *c, char *why)
{
	return call_go(c, c->count, gpu_row_group(c->gpu), why);
}

void *tensor_handle(const struct backend_tensor *t)
{
	return t ? ((struct gpu_buffer *)t->buffer)->handle : NULL;
}

int64_t tensor_elements(const struct backend_tensor *t)
{
	int64_t n = 1;

	for (uint32_t i = 0; i < t->dims; i++)
		n *= t->size[i];
	return n;
}

int64_t tensor_columns(const struct backend_tensor *t)
{
	return t->dims ? t->size[t->dims - 1] : 1;
}

int64_t tensor_rows(const struct backend_tensor *t)
{
	int64_t n = 1;

	for (uint32_t i = 0; i + 1 < t->dims; i++)
		n *= t->size[i];
	return n;
}

bool tensor_steps(const struct backend_tensor *t, struct tensor_steps *s)
{
	const int64_t *size = t->size, *stride = t->stride;

	*s = (struct tensor_steps){ .inner = 1 };
	if (t->dims < 2)
		return true;
	s->inner = size[t->dims - 2];
	s->inner_stride = stride[t->dims - 2];
	if (t->dims > 2)
		s->outer_stride = stride[t->dims - 3];
	return t->dims < 4 || size[0] == 1 || stride[0] == size[1] * stride[1];
}

void room_take(struct gpu *g, size_t bytes, size_t *at, size_t *used)
{
	*at = *used;
	*used += (bytes + 255) / 256 * 256;
	if (*used > g->room_needed)
		g->room_needed = *used;
}
