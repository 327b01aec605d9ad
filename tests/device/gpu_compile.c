/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpu_compile [SHARE]: compiles each kernel file of SHARE/backends, by default the build's,
 * with the run-time compiler of the backend that it is linked with, cuda or hip. It
 * compiles for two devices, which do not have to be present. The kernels for CUDA must keep
 * their variables in registers. It writes TAP, and skips if the compiler is missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/gpu/cudahip.h"
#include "backends/gpu/gpu_call.h"
#include "tests/lib/tap.h"

#pragma weak cuda_family
#pragma weak hip_family

static struct cudahip_api api;
static const char *architecture;
static int (*program_destroy)(void **program);
static char spilling[128]; /* a kernel of the last program that spills registers, or "" */

/* Finds a kernel that spills registers in the log of a program. The log has a line for each
 * kernel with its name, and later one with "bytes stack frame, N bytes spill stores". */
static int log_read(void **program)
{
	size_t bytes = 0;
	char *log = NULL, *rest, kernel[64] = "";
	int stores;

	snprintf(spilling, sizeof(spilling), "%s",
	    &cuda_family ? "the compiler does not report registers" : "");
	if (!api.program_log_size(*program, &bytes) && bytes > 0)
		log = calloc(1, bytes + 1);
	if (log && api.program_log(*program, log))
		*log = '\0';
	rest = log;
	for (char *line; log && (line = strtok_r(NULL, "\n", &rest));) {
		const char *name = strstr(line, "entry function '");
		const char *frame = strstr(line, "bytes stack frame,");

		if (name)
			sscanf(name, "entry function '%63[^']", kernel);
		if (!frame || sscanf(frame, "bytes stack frame, %d", &stores) != 1)
			continue;
		spilling[0] = '\0';
		if (stores == 0)
			continue;
		snprintf(spilling, sizeof(spilling), "%s spills %d bytes", kernel, stores);
		break;
	}
	free(log);
	return program_destroy(program);
}

static void *program_build(
    struct gpu *g, const char *source, const char *options, char *why)
{
	char all[1024];
	size_t bytes;

	(void)g;
	snprintf(
	    all, sizeof(all), "%s%s", options, &cuda_family ? " --ptxas-options=-v" : "");
	return cudahip_compile(&api, source, all, architecture, &bytes, why);
}

static void program_free(struct gpu *g, void *program)
{
	(void)g;
	free(program);
}

/* Returns the program, because there is no device that could load it. */
static void *kernel_find(struct gpu *g, void *program, const char *name, char *why)
{
	(void)g;
	(void)name;
	(void)why;
	return program;
}

static const struct gpu_driver driver = {
	.name = "compile",
	.prelude = "prelude.cu",
	.build = program_build,
	.unbuild = program_free,
	.kernel = kernel_find,
};

static const char *const cuda_devices[] = { "--gpu-architecture=sm_80",
	"--gpu-architecture=sm_90" };
static const char *const hip_devices[] = { "--offload-arch=gfx90a",
	"--offload-arch=gfx1030" };

static const struct {
	int device;
	enum backend_dtype dtype, other;
	int64_t states;
	const char *file[12]; /* ends with NULL */
} cases[] = {
	{ 0, BACKEND_FLOAT64, BACKEND_FLOAT64, 16,
	    { "stream", "norm", "element", "image", "sequence", "expert", "trees", "matrix",
	        "attention_join" } },
	{ 1, BACKEND_FLOAT32, BACKEND_FLOAT32, 16,
	    { "stream", "norm", "element", "image", "sequence", "expert", "trees", "matrix",
	        "channels", "scan", "scan_step" } },
	{ 1, BACKEND_FLOAT32, BACKEND_FLOAT32, 64, { "attention_float", "attention_row" } },
	{ 0, BACKEND_FLOAT64, BACKEND_FLOAT64, 256, { "attention_row" } },
	{ 0, BACKEND_BFLOAT16, BACKEND_BFLOAT16, 80,
	    { "attention_join", "attention_row" } },
	{ 0, BACKEND_BFLOAT16, BACKEND_FLOAT32, 8,
	    { "stream", "norm", "element", "sequence", "matrix" } },
	{ 1, BACKEND_FLOAT16, BACKEND_FLOAT32, 8,
	    { "stream", "norm", "element", "sequence", "matrix" } },
	{ 1, BACKEND_FLOAT16, BACKEND_FLOAT16, 64,
	    { "image", "channels", "convolve", "expert", "trees", "matrix", "attention",
	        "expert_tiles" } },
	{ 0, BACKEND_BFLOAT16, BACKEND_BFLOAT16, 160,
	    { "attention", "convolve", "expert_tiles" } },
	{ 1, BACKEND_INT8, BACKEND_INT32, 0, { "matrix" } },
	{ 1, BACKEND_INT8, BACKEND_INT8, 0, { "transpose" } },
	{ 1, BACKEND_UINT8, BACKEND_UINT8, 0, { "draw" } },
	{ 0, BACKEND_BFLOAT16, BACKEND_BFLOAT16, 0, { "draw", "stream" } },
	{ 1, BACKEND_FLOAT16, BACKEND_UINT8, 0, { "element" } },
	{ 1, BACKEND_INT32, BACKEND_INT32, 0, { "element" } },
};

int main(int argc, char **argv)
{
	const struct cudahip_family *family = &cuda_family ? &cuda_family : &hip_family;
	const char *const *devices = &cuda_family ? cuda_devices : hip_devices;
	struct backend_config config = { .abi = BACKEND_ABI };
	const char *build = getenv("BUILD");
	char share[4096], why[BACKEND_WHY] = "";

	snprintf(share, sizeof(share), "%s/share/benchutils", build ? build : "build");
	config.share_dir = argc > 1 ? argv[1] : share;
	if (cudahip_load(family, CUDAHIP_COMPILER, &api, why)) {
		printf("1..0 # SKIP %s\n", why);
		return 0;
	}
	program_destroy = api.program_destroy;
	api.program_destroy = log_read;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gpu *g = gpu_new(&driver, &config, why);

		if (!g)
			return 2;
		architecture = devices[cases[i].device];
		g->phase = GPU_MEASURE;
		for (size_t k = 0; cases[i].file[k]; k++) {
			const struct gpu_kernel kernel = { .file = cases[i].file[k],
				.name = "",
				.dtype = cases[i].dtype,
				.other = cases[i].other,
				.states = cases[i].states };
			const struct gpu_call c = gpu_call_begin(g, kernel, 0, why);

			const char *wrong = c.kernel ? spilling : why;

			tap_ok(!*wrong,
			    "the compiler accepts %s %s.cl, %s and %s, and spills no "
			    "registers%s%s",
			    architecture, cases[i].file[k], gpu_dtype_name(cases[i].dtype),
			    gpu_dtype_name(cases[i].other), *wrong ? ": " : "", wrong);
		}
		for (size_t k = 0; k < g->programs; k++) {
			program_free(g, g->program[k].handle);
			free(g->program[k].options);
		}
		gpu_close((struct backend_session *)g);
	}
	return tap_end();
}
