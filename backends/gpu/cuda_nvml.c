/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads NVIDIA's management library; see cuda_nvml.h. It comes with the driver.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cuda_nvml.h"

/* nvmlMemory_t */
struct nvml_memory {
	unsigned long long total, left, used;
};

struct nvml_api {
	int (*init)(void);
	int (*shutdown)(void);
	int (*version)(char *text, unsigned size);
	int (*device)(const char *pci, void **device);
	int (*memory)(void *device, struct nvml_memory *memory);
};

static const struct {
	const char *name;
	size_t at; /* in struct nvml_api */
} functions[] = {
	{ "nvmlInit_v2", offsetof(struct nvml_api, init) },
	{ "nvmlShutdown", offsetof(struct nvml_api, shutdown) },
	{ "nvmlSystemGetDriverVersion", offsetof(struct nvml_api, version) },
	{ "nvmlDeviceGetHandleByPciBusId_v2", offsetof(struct nvml_api, device) },
	{ "nvmlDeviceGetMemoryInfo", offsetof(struct nvml_api, memory) },
};

/* Loads and starts the library. Returns 0, or -1. */
static int nvml_open(struct nvml_api *api)
{
	void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);

	if (!library)
		return -1;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *symbol = dlsym(library, functions[i].name);

		if (!symbol)
			return -1;
		memcpy((char *)api + functions[i].at, &symbol, sizeof(symbol));
	}
	return api->init() ? -1 : 0;
}

void cuda_nvml_version(char *version, size_t size)
{
	struct nvml_api api;

	*version = '\0';
	if (nvml_open(&api))
		return;
	if (api.version(version, (unsigned)size))
		*version = '\0';
	api.shutdown();
}

int64_t cuda_nvml_used(const char *pci)
{
	struct nvml_memory memory = { 0 };
	struct nvml_api api;
	void *device;

	if (nvml_open(&api))
		return -1;
	const int error = api.device(pci, &device) || api.memory(device, &memory);
	api.shutdown();
	return error ? -1 : (int64_t)memory.used;
}
