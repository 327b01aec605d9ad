/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds programs and finds kernels; see gpu_program.h. They are searched for in short
 * lists, because a model has a few dozen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_program.h"
#include "gpu_tensor.h"

uint32_t gpu_group(const struct gpu *g)
{
	return g->wide ? 128 : 256;
}

uint32_t gpu_row_group(const struct gpu *g)
{
	return g->wide ? 1 : 256;
}

int64_t gpu_shares(const struct gpu *g, int64_t groups, int64_t work, int64_t least)
{
	const int64_t most = groups > 0 ? 2 * (int64_t)g->units / groups : 1;
	const int64_t shares = work / least < most ? work / least : most;

	return shares > 1 ? shares : 1;
}

/* A processor needs enough to fill its pipelines with vectors. */
int64_t gpu_chains(const struct gpu *g, enum backend_dtype dtype)
{
	if (!g->wide)
		return 8;
	return dtype == BACKEND_FLOAT64 ? 40 : 80;
}

bool gpu_is_wide(const struct gpu *g, enum backend_dtype a, enum backend_dtype b)
{
	if (a == BACKEND_FLOAT64 || b == BACKEND_FLOAT64)
		return true;
	return a == BACKEND_INT32 && b == BACKEND_INT32 && g->dtypes >> BACKEND_FLOAT64 & 1;
}

static char *file_read(const char *path)
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

/* Returns whether tiles.cl precedes a kernel file. */
static bool file_has_tiles(const char *file)
{
	return strcmp(file, "convolve") == 0 || strcmp(file, "expert_tiles") == 0;
}

/* Returns the source: the prelude, common.cl, tiles.cl where it is needed, and the file. */
static char *source_read(struct gpu *g, const char *file, char *why)
{
	const char *part[] = { g->driver->prelude, "common",
		file_has_tiles(file) ? "tiles" : NULL, file };
	char *all = NULL;
	size_t length = 0;

	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++) {
		char path[4096];

		if (!part[i])
			continue;
		snprintf(path, sizeof(path), "%s/backends/%s%s", g->share_dir, part[i],
		    i == 0 ? "" : ".cl");
		char *text = file_read(path);
		size_t size = text ? strlen(text) : 0;
		char *more = text ? realloc(all, length + size + 1) : NULL;

		if (!more) {
			hook_fail(why, "%s: cannot read the file", path);
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

/* Returns the name of a type in kernels, in which tf32 is float32. */
static const char *type_name(enum backend_dtype dtype)
{
	return gpu_dtype_name(dtype == BACKEND_TF32 ? BACKEND_FLOAT32 : dtype);
}

/* Writes the compiler's options for a kernel, which distinguish its program from others. */
static void program_options(
    const struct gpu *g, const struct gpu_kernel *k, char *options, size_t size)
{
	const char *real = gpu_is_wide(g, k->dtype, k->other) ? "double" : "float";
	const bool whole = k->dtype == BACKEND_INT8 && k->other == BACKEND_INT32;
	char wide[40] = "";

	if (g->wide)
		snprintf(wide, sizeof(wide), " -DWIDE -DWIDTH=%zu",
		    g->vector_bytes /
		        (strcmp(real, "double") == 0 ? sizeof(double) : sizeof(float)));
	snprintf(options, size,
	    "-DFILE=%s -DTYPE_T=%s -DTYPE_U=%s -DTYPE_R=%s -DTYPE_A=%s -DGROUP=%u "
	    "-DROW_GROUP=%u -DLANES=%d "
	    "-DCHAINS=%d -DSTATES=%d%s%s",
	    k->file, type_name(k->dtype), type_name(k->other), real, whole ? "int" : real,
	    gpu_group(g), gpu_row_group(g), g->wide ? 16 : 1, (int)gpu_chains(g, k->dtype),
	    k->states ? (int)k->states : 1, whole ? " -DWHOLE" : "", wide);
}

/* Returns the program that has a kernel, built now if it is new, or NULL and why. */
static void *program_find(struct gpu *g, const struct gpu_kernel *kernel, char *why)
{
	char options[512];

	program_options(g, kernel, options, sizeof(options));
	for (size_t i = 0; i < g->programs; i++)
		if (strcmp(g->program[i].options, options) == 0)
			return g->program[i].handle;

	struct gpu_program *more =
	    realloc(g->program, (g->programs + 1) * sizeof(*g->program));
	if (!more) {
		hook_fail(why, "out of memory");
		return NULL;
	}
	g->program = more;
	char *source = source_read(g, kernel->file, why);
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

struct gpu_kernel gpu_kernel_of(
    const char *file, const char *name, enum backend_dtype dtype)
{
	return (struct gpu_kernel){
		.file = file, .name = name, .dtype = dtype, .other = dtype
	};
}

static bool kernel_is(const struct gpu_kernel *a, const struct gpu_kernel *b)
{
	return a->name == b->name && a->file == b->file && a->dtype == b->dtype &&
	       a->other == b->other && a->states == b->states;
}

void *gpu_kernel_find(struct gpu *g, const struct gpu_kernel *kernel, char *why)
{
	for (size_t i = 0; i < g->kernels; i++)
		if (kernel_is(&g->kernel[i].kernel, kernel))
			return g->kernel[i].handle;
	struct gpu_built_kernel *more =
	    realloc(g->kernel, (g->kernels + 1) * sizeof(*g->kernel));
	if (!more) {
		hook_fail(why, "out of memory");
		return NULL;
	}
	g->kernel = more;
	void *program = program_find(g, kernel, why);
	void *handle = program ? g->driver->kernel(g, program, kernel->name, why) : NULL;

	if (handle)
		g->kernel[g->kernels++] =
		    (struct gpu_built_kernel){ .kernel = *kernel, .handle = handle };
	return handle;
}
