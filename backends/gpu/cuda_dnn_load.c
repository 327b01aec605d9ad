/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds and loads cuDNN, which is optional and not linked; see cuda_dnn.h.
 */
#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const char library_name[] = "libcudnn.so.9";

/* Directories of Python packages, in which NVIDIA's wheels place the library. */
static const char *const package_directories[] = {
	"$VIRTUAL_ENV/lib/python3*/site-packages",
	"$CONDA_PREFIX/lib/python3*/site-packages",
	"$HOME/.local/lib/python3*/site-packages",
	"/usr/local/lib/python3*/site-packages",
	"/usr/local/lib/python3*/dist-packages",
	"/usr/lib/python3*/site-packages",
	"/usr/lib/python3/dist-packages",
	"/opt/*/lib/python3*/site-packages",
};

/* Opens the library below a directory of Python packages, which may begin with a variable.
 */
static void *library_open_package(const char *directory)
{
	char name[32] = "", pattern[4096];
	const char *root = "", *rest = directory;
	void *library = NULL;
	glob_t found;

	if (*directory == '$') {
		const size_t length = strcspn(directory + 1, "/");

		snprintf(name, sizeof(name), "%.*s", (int)length, directory + 1);
		root = getenv(name);
		if (!root || !*root)
			return NULL;
		rest = directory + 1 + length;
	}
	snprintf(
	    pattern, sizeof(pattern), "%s%s/nvidia/cudnn/lib/%s", root, rest, library_name);
	if (glob(pattern, 0, NULL, &found))
		return NULL;
	for (size_t i = found.gl_pathc; i-- > 0 && !library;)
		library = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_LOCAL);
	globfree(&found);
	return library;
}

/* Opens $BENCH_CUDNN, if it is set, unless it is "none"; else the library that the loader
 * finds, or one in a directory of Python packages. */
static void *library_open_dnn(char *why)
{
	const char *path = getenv("BENCH_CUDNN");
	void *library = NULL;

	if (path && strcmp(path, "none") == 0) {
		gpu_fail(why, "BENCH_CUDNN is none");
		return NULL;
	}
	if (path && *path) {
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!library)
			gpu_fail(why, "BENCH_CUDNN: %s", dlerror());
		return library;
	}
	library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0;
	     i < sizeof(package_directories) / sizeof(*package_directories) && !library;
	     i++)
		library = library_open_package(package_directories[i]);
	if (!library)
		gpu_fail(why, "%s is not found", library_name);
	return library;
}

int cuda_dnn_load(struct cuda_dnn_api *api, char *why)
{
	void *library = library_open_dnn(why);

	if (!library)
		return -1;
	for (size_t i = 0; i < sizeof(dnn_functions) / sizeof(*dnn_functions); i++) {
		void *symbol = dlsym(library, dnn_functions[i].name);

		if (!symbol)
			return gpu_fail(
			    why, "%s: %s is missing", library_name, dnn_functions[i].name);
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
