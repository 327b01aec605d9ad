/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVIDIA's GPUs through NVML, the library of their driver. It is declared here
 * from NVIDIA's "NVML API Reference Guide"; see gpu.h.
 */
#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "sys/gpu_priv.h"
#include "sys/library_functions.h"

/* Constants and structures of NVML. Its functions return 0, or a number for
 * nvmlErrorString. */
enum { TEMPERATURE_GPU = 0, CLOCK_SM = 1, CLOCK_MEM = 2, TEXT_SIZE = 96 };
typedef struct nvml_device *nvml_device;
struct nvml_utilization {
	unsigned gpu, memory; /* per cent */
};
struct nvml_memory {
	unsigned long long total, free, used;
};

struct nvml_pci {
	char legacy[16];
	unsigned domain, bus, device, ids[2];
	char text[32];
};

/* Reasons of a clock rate. That a card is idle, or that a user chose a rate, is none of
 * ours. */
enum {
	REASON_POWER_CAP = 0x4,
	REASON_SLOWDOWN = 0x8, /* also set with the two reasons of hardware below */
	REASON_SYNC_BOOST = 0x10,
	REASON_THERMAL = 0x20,
	REASON_THERMAL_HARDWARE = 0x40,
	REASON_POWER_BRAKE = 0x80,
	REASON_DISPLAY = 0x100,
};

static struct nvml {
	int (*init)(void);
	const char *(*error_string)(int);
	int (*count)(unsigned *);
	int (*handle)(unsigned, nvml_device *);
	int (*power)(nvml_device, unsigned *);            /* mW */
	int (*energy)(nvml_device, unsigned long long *); /* mJ */
	int (*utilization)(nvml_device, struct nvml_utilization *);
	int (*memory)(nvml_device, struct nvml_memory *);
	int (*temperature)(nvml_device, int, unsigned *);
	int (*clock)(nvml_device, int, unsigned *); /* MHz */
	int (*reasons)(nvml_device, unsigned long long *);
	int (*name)(nvml_device, char *, unsigned);
	int (*driver)(char *, unsigned);
	int (*cuda)(int *);                          /* 1000 * major + 10 * minor */
	int (*power_limit)(nvml_device, unsigned *); /* mW */
	int (*ecc)(nvml_device, unsigned *, unsigned *);
	int (*mig)(nvml_device, unsigned *, unsigned *);
	int (*pcie_gen)(nvml_device, unsigned *);
	int (*pcie_width)(nvml_device, unsigned *);
	int (*pci)(nvml_device, struct nvml_pci *);
	int (*id)(nvml_device, char *, unsigned);
	int (*lock_clocks)(nvml_device, unsigned, unsigned); /* MHz */
	int (*reset_clocks)(nvml_device);
} nvml;

/* Functions that old drivers may lack, which are then NULL. */
static const struct library_function functions[] = {
	{ "nvmlInit_v2", offsetof(struct nvml, init), false },
	{ "nvmlErrorString", offsetof(struct nvml, error_string), false },
	{ "nvmlDeviceGetCount_v2", offsetof(struct nvml, count), false },
	{ "nvmlDeviceGetHandleByIndex_v2", offsetof(struct nvml, handle), false },
	{ "nvmlDeviceGetPowerUsage", offsetof(struct nvml, power), true },
	{ "nvmlDeviceGetTotalEnergyConsumption", offsetof(struct nvml, energy), true },
	{ "nvmlDeviceGetUtilizationRates", offsetof(struct nvml, utilization), true },
	{ "nvmlDeviceGetMemoryInfo", offsetof(struct nvml, memory), true },
	{ "nvmlDeviceGetTemperature", offsetof(struct nvml, temperature), true },
	{ "nvmlDeviceGetClockInfo", offsetof(struct nvml, clock), true },
	{ "nvmlDeviceGetCurrentClocksThrottleReasons", offsetof(struct nvml, reasons),
	    true },
	{ "nvmlDeviceGetName", offsetof(struct nvml, name), true },
	{ "nvmlSystemGetDriverVersion", offsetof(struct nvml, driver), true },
	{ "nvmlSystemGetCudaDriverVersion_v2", offsetof(struct nvml, cuda), true },
	{ "nvmlDeviceGetPowerManagementLimit", offsetof(struct nvml, power_limit), true },
	{ "nvmlDeviceGetEccMode", offsetof(struct nvml, ecc), true },
	{ "nvmlDeviceGetMigMode", offsetof(struct nvml, mig), true },
	{ "nvmlDeviceGetMaxPcieLinkGeneration", offsetof(struct nvml, pcie_gen), true },
	{ "nvmlDeviceGetMaxPcieLinkWidth", offsetof(struct nvml, pcie_width), true },
	{ "nvmlDeviceGetPciInfo_v3", offsetof(struct nvml, pci), true },
	{ "nvmlDeviceGetUUID", offsetof(struct nvml, id), true },
	{ "nvmlDeviceSetGpuLockedClocks", offsetof(struct nvml, lock_clocks), true },
	{ "nvmlDeviceResetGpuLockedClocks", offsetof(struct nvml, reset_clocks), true },
};

static const char library[] = "libnvidia-ml.so.1";

void *gpu_nvml_library(void)
{
	return dlopen(library, RTLD_NOW);
}

static int load_nvml(struct fault *f)
{
	void *handle = gpu_nvml_library();
	const char *lacks;

	if (!handle)
		return fault_set(
		    f, "%s: not found (it comes with NVIDIA's driver)", library);
	lacks = library_functions_find(handle, functions, COUNT(functions), &nvml);
	return lacks ? fault_set(f, "%s: no function %s", library, lacks) : 0;
}

static int fault_nvml(const char *what, int error, struct fault *f)
{
	return fault_set(f, "NVML: %s: %s", what, nvml.error_string(error));
}

static void add_nvml(struct gpu_card_list *list, unsigned number, nvml_device device)
{
	struct gpu_card *c = gpu_card_add(list, &gpu_nvml, "nvml", number);
	struct nvml_pci pci;

	c->own = device;
	if (nvml.pci && nvml.pci(device, &pci) == 0)
		snprintf(c->pci, sizeof(c->pci), "%04x:%02x:%02x.0", pci.domain, pci.bus,
		    pci.device);
}

static int open_nvml(struct gpu_card_list *list, struct fault *f)
{
	unsigned count = 0;
	size_t before = list->count;
	int error;

	if (!list->files->live)
		return fault_set(f, "%s", "");
	if (load_nvml(f) < 0)
		return -1;
	if ((error = nvml.init()))
		return fault_nvml("cannot begin", error, f);
	if ((error = nvml.count(&count)))
		return fault_nvml("cannot count the cards", error, f);
	for (unsigned i = 0; i < count; i++) {
		nvml_device device;

		if (nvml.handle(i, &device) == 0) /* otherwise no permission, or lost */
			add_nvml(list, i, device);
	}
	return list->count > before ? 0 : fault_set(f, "NVML: no card is accessible");
}

static void close_nvml(struct gpu_card *c)
{
	(void)c;
}

static double read_clock_hz(nvml_device device, int which)
{
	unsigned mhz;

	return nvml.clock && !nvml.clock(device, which, &mhz) ? mhz * 1e6 : NAN;
}

static void read_reasons(nvml_device device, double value[GPU_METRICS])
{
	enum { HARDWARE = REASON_THERMAL_HARDWARE | REASON_POWER_BRAKE };
	unsigned long long reasons;

	if (!nvml.reasons || nvml.reasons(device, &reasons))
		return;
	value[GPU_THROTTLE_POWER] =
	    (reasons & (REASON_POWER_CAP | REASON_POWER_BRAKE)) != 0;
	value[GPU_THROTTLE_THERMAL] =
	    (reasons & (REASON_THERMAL | REASON_THERMAL_HARDWARE)) != 0;
	value[GPU_THROTTLE_OTHER] = (reasons & (REASON_SYNC_BOOST | REASON_DISPLAY)) != 0 ||
	                            ((reasons & REASON_SLOWDOWN) && !(reasons & HARDWARE));
}

static void read_nvml(struct gpu_card *c, double value[GPU_METRICS])
{
	nvml_device device = c->own;
	struct nvml_utilization used;
	struct nvml_memory memory;
	unsigned n;

	if (nvml.power && !nvml.power(device, &n))
		value[GPU_POWER] = n / 1e3;
	if (nvml.utilization && !nvml.utilization(device, &used))
		value[GPU_UTILISATION] = used.gpu / 1e2;
	if (nvml.memory && !nvml.memory(device, &memory))
		value[GPU_MEMORY] = (double)memory.used;
	if (nvml.temperature && !nvml.temperature(device, TEMPERATURE_GPU, &n))
		value[GPU_TEMPERATURE] = n;
	value[GPU_CLOCK] = read_clock_hz(device, CLOCK_SM);
	value[GPU_MEMORY_CLOCK] = read_clock_hz(device, CLOCK_MEM);
	read_reasons(device, value);
}

static bool read_nvml_energy(struct gpu_card *c, uint64_t *millijoules)
{
	unsigned long long mj;
	bool known = nvml.energy && !nvml.energy(c->own, &mj);

	if (known)
		*millijoules = mj;
	return known;
}

static void put_number(
    int (*get)(nvml_device, unsigned *), nvml_device device, double unit, struct buf *out)
{
	unsigned n;

	if (get && get(device, &n) == 0)
		buf_printf(out, "%.15g", n * unit);
}

static void put_mode(
    int (*get)(nvml_device, unsigned *, unsigned *), nvml_device device, struct buf *out)
{
	unsigned now, pending;

	if (get && get(device, &now, &pending) == 0)
		buf_str(out, now ? "on" : "off");
}

static void put_nvml_fact(struct gpu_card *c, enum gpu_fact fact, struct buf *out)
{
	nvml_device device = c->own;
	char text[TEXT_SIZE] = "";
	struct nvml_memory memory;
	int version;

	switch (fact) {
	case GPU_FACT_MODEL:
		if (nvml.name && nvml.name(device, text, sizeof(text)) == 0)
			buf_str(out, text);
		break;
	case GPU_FACT_DRIVER:
		if (nvml.driver && nvml.driver(text, sizeof(text)) == 0)
			buf_printf(out, "nvidia %s", text);
		break;
	case GPU_FACT_CUDA:
		if (nvml.cuda && nvml.cuda(&version) == 0)
			buf_printf(out, "%d.%d", version / 1000, version % 1000 / 10);
		break;
	case GPU_FACT_MEMORY:
		if (nvml.memory && nvml.memory(device, &memory) == 0)
			buf_printf(out, "%llu", memory.total);
		break;
	case GPU_FACT_POWER_LIMIT:
		put_number(nvml.power_limit, device, 1e-3, out);
		break;
	case GPU_FACT_ECC:
		put_mode(nvml.ecc, device, out);
		break;
	case GPU_FACT_MIG:
		put_mode(nvml.mig, device, out);
		break;
	case GPU_FACT_PCIE_GEN:
		put_number(nvml.pcie_gen, device, 1, out);
		break;
	case GPU_FACT_PCIE_WIDTH:
		put_number(nvml.pcie_width, device, 1, out);
		break;
	case GPU_FACT_PARTITION:
	case GPU_FACTS:
		break;
	}
}

static void put_nvml_id(struct gpu_card *c, struct buf *out)
{
	char text[TEXT_SIZE] = "";

	if (nvml.id && nvml.id(c->own, text, sizeof(text)) == 0)
		buf_str(out, text);
}

static int lock_nvml_clock(struct gpu_card *c, unsigned mhz, struct fault *f)
{
	int error;

	if (!nvml.lock_clocks || !nvml.reset_clocks)
		return fault_set(f, "NVML: the driver cannot lock clocks");
	error = mhz ? nvml.lock_clocks(c->own, mhz, mhz) : nvml.reset_clocks(c->own);
	return error ? fault_nvml(mhz ? "cannot lock the clock" : "cannot unlock the clock",
	                   error, f)
	             : 0;
}

const struct gpu_interface gpu_nvml = {
	.open = open_nvml,
	.close = close_nvml,
	.read = read_nvml,
	.energy = read_nvml_energy,
	.fact = put_nvml_fact,
	.put_id = put_nvml_id,
	.lock_clock = lock_nvml_clock,
};
