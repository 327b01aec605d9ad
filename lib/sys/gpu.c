/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graphics cards; see gpu.h.
 */
#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/gpu.h"

/* Constants and structures of NVML. Its functions return 0, or a number for
 * nvmlErrorString. */
enum { TEMPERATURE_GPU = 0, CLOCK_SM = 1, CLOCK_MEM = 2 };
typedef struct nvml_device *nvml_device;
struct nvml_utilisation {
	unsigned gpu, memory; /* per cent */
};
struct nvml_memory {
	unsigned long long total, free, used;
};

struct nvml {
	int (*init)(void);
	const char *(*error_string)(int);
	int (*count)(unsigned *);
	int (*handle)(unsigned, nvml_device *);
	int (*power)(nvml_device, unsigned *);            /* mW */
	int (*energy)(nvml_device, unsigned long long *); /* mJ */
	int (*utilisation)(nvml_device, struct nvml_utilisation *);
	int (*memory)(nvml_device, struct nvml_memory *);
	int (*temperature)(nvml_device, int, unsigned *);
	int (*clock)(nvml_device, int, unsigned *); /* MHz */
};

/* Functions that old drivers may lack, which are then NULL. */
static const struct {
	const char *name;
	size_t at;
	bool needed;
} functions[] = {
	{ "nvmlInit_v2", offsetof(struct nvml, init), true },
	{ "nvmlErrorString", offsetof(struct nvml, error_string), true },
	{ "nvmlDeviceGetCount_v2", offsetof(struct nvml, count), true },
	{ "nvmlDeviceGetHandleByIndex_v2", offsetof(struct nvml, handle), true },
	{ "nvmlDeviceGetPowerUsage", offsetof(struct nvml, power), false },
	{ "nvmlDeviceGetTotalEnergyConsumption", offsetof(struct nvml, energy), false },
	{ "nvmlDeviceGetUtilizationRates", offsetof(struct nvml, utilisation), false },
	{ "nvmlDeviceGetMemoryInfo", offsetof(struct nvml, memory), false },
	{ "nvmlDeviceGetTemperature", offsetof(struct nvml, temperature), false },
	{ "nvmlDeviceGetClockInfo", offsetof(struct nvml, clock), false },
};

struct card {
	nvml_device device;
	char name[16];
};

struct gpus {
	struct nvml nvml;
	struct card *card;
	size_t count;
};

static int load_nvml(struct nvml *nvml, struct fault *f)
{
	static const char library[] = "libnvidia-ml.so.1";
	void *handle = dlopen(library, RTLD_NOW);

	if (!handle)
		return fault_set(
		    f, "%s: not found (it comes with NVIDIA's driver)", library);
	for (size_t i = 0; i < COUNT(functions); i++) {
		void *symbol = dlsym(handle, functions[i].name);

		if (!symbol && functions[i].needed)
			return fault_set(
			    f, "%s: no function %s", library, functions[i].name);
		memcpy((char *)nvml + functions[i].at, &symbol, sizeof(symbol));
	}
	return 0;
}

static int fault_nvml(const struct nvml *nvml, const char *what, int error, struct fault *f)
{
	return fault_set(f, "NVML: %s: %s", what, nvml->error_string(error));
}

static int open_cards(struct gpus *g, struct fault *f)
{
	const struct nvml *nvml = &g->nvml;
	unsigned count = 0;
	int error;

	if ((error = nvml->init()))
		return fault_nvml(nvml, "cannot begin", error, f);
	if ((error = nvml->count(&count)))
		return fault_nvml(nvml, "cannot count the cards", error, f);
	g->card = mem_zero(count, sizeof(*g->card));
	for (unsigned i = 0; i < count; i++) {
		struct card *c = &g->card[g->count];

		if (nvml->handle(i, &c->device))
			continue; /* no permission, or lost */
		snprintf(c->name, sizeof(c->name), "gpu%u", i);
		g->count++;
	}
	return g->count ? 0 : fault_set(f, "NVML: no card is accessible");
}

struct gpus *gpus_open(struct fault *f)
{
	struct gpus *g = mem_zero(1, sizeof(*g));

	if (load_nvml(&g->nvml, f) == 0 && open_cards(g, f) == 0)
		return g;
	gpus_close(g);
	return NULL;
}

void gpus_close(struct gpus *g)
{
	if (!g)
		return;
	free(g->card);
	free(g);
}

size_t gpus_count(const struct gpus *g)
{
	return g->count;
}

const char *gpus_name(const struct gpus *g, size_t i)
{
	return g->card[i].name;
}

static double read_clock_hz(const struct gpus *g, size_t i, int which)
{
	unsigned mhz;

	if (!g->nvml.clock || g->nvml.clock(g->card[i].device, which, &mhz))
		return NAN;
	return mhz * 1e6;
}

void gpus_read(const struct gpus *g, size_t i, double value[GPU_METRICS])
{
	const struct nvml *nvml = &g->nvml;
	nvml_device device = g->card[i].device;
	struct nvml_utilisation used;
	struct nvml_memory memory;
	unsigned n;

	value[GPU_POWER] = nvml->power && !nvml->power(device, &n) ? n / 1e3 : NAN;
	value[GPU_UTILISATION] =
	    nvml->utilisation && !nvml->utilisation(device, &used) ? used.gpu / 1e2 : NAN;
	value[GPU_MEMORY] =
	    nvml->memory && !nvml->memory(device, &memory) ? (double)memory.used : NAN;
	value[GPU_TEMPERATURE] =
	    nvml->temperature && !nvml->temperature(device, TEMPERATURE_GPU, &n) ? (double)n
	                                                                         : NAN;
	value[GPU_CLOCK] = read_clock_hz(g, i, CLOCK_SM);
	value[GPU_MEMORY_CLOCK] = read_clock_hz(g, i, CLOCK_MEM);
}

bool gpus_energy(const struct gpus *g, size_t i, uint64_t *millijoules)
{
	unsigned long long mj;
	bool told = g->nvml.energy && !g->nvml.energy(g->card[i].device, &mj);

	if (told)
		*millijoules = mj;
	return told;
}
