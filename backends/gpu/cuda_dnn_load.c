/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds and loads cuDNN, which is optional and not linked; see cuda_dnn.h.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/library/library.h"

#include "cuda_dnn.h"
#include "cuda_dnn_api.h"
#include "gpu_session.h"

static const struct {
	const char *name;
	size_t at;
} dnn_functions[] = {
	{ "cudnnGetVersion", offsetof(struct cuda_dnn_api, version) },
	{ "cudnnGetErrorString", offsetof(struct cuda_dnn_api, error_text) },
	{ "cudnnGetLastErrorString", offsetof(struct cuda_dnn_api, error_last) },
	{ "cudnnCreate", offsetof(struct cuda_dnn_api, create) },
	{ "cudnnDestroy", offsetof(struct cuda_dnn_api, destroy) },
	{ "cudnnSetStream", offsetof(struct cuda_dnn_api, set_stream) },
	{ "cudnnBackendCreateDescriptor",
	    offsetof(struct cuda_dnn_api, descriptor_create) },
	{ "cudnnBackendDestroyDescriptor",
	    offsetof(struct cuda_dnn_api, descriptor_destroy) },
	{ "cudnnBackendFinalize", offsetof(struct cuda_dnn_api, descriptor_finish) },
	{ "cudnnBackendSetAttribute", offsetof(struct cuda_dnn_api, set) },
	{ "cudnnBackendGetAttribute", offsetof(struct cuda_dnn_api, get) },
	{ "cudnnBackendExecute", offsetof(struct cuda_dnn_api, execute) },
};

static const char *const names[] = { "libcudnn.so.9", NULL };
static const struct library_search dnn = {
	.what = "cuDNN",
	.variable = "BENCH_CUDNN",
	.names = names,
	.file = "libcudnn.so.9",
	.package = "nvidia/cudnn/lib",
	.remedy = "install the Python package nvidia-cudnn-cu13 or nvidia-cudnn-cu12",
};

int cuda_dnn_load(struct cuda_dnn_api *api, char *why)
{
	char path[4096];
	void *library = library_open(&dnn, path, sizeof(path), why);

	if (!library)
		return -1;
	for (size_t i = 0; i < sizeof(dnn_functions) / sizeof(*dnn_functions); i++) {
		void *symbol = dlsym(library, dnn_functions[i].name);

		if (!symbol)
			return hook_fail(
			    why, "%s: %s is missing", path, dnn_functions[i].name);
		memcpy((char *)api + dnn_functions[i].at, &symbol, sizeof(symbol));
	}
	return 0;
}

int cuda_dnn_find(char *text, size_t size, char *why)
{
	const char *path = getenv("BENCH_CUDNN");
	struct cuda_dnn_api api;

	if (cuda_dnn_load(&api, why)) {
		snprintf(text, size, ", no cuDNN");
		return path && *path && strcmp(path, "none") != 0 ? -1 : 0;
	}
	const size_t version = api.version();

	snprintf(text, size, ", cuDNN %zu.%zu.%zu", version / 10000, version / 100 % 100,
	    version % 100);
	return 0;
}
