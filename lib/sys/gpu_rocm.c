/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AMD's GPUs through ROCm SMI, declared here from AMD's "ROCm SMI LIB
 * Documentation"; see gpu.h. The structures of this library changed between versions.
 * Values that need one, such as clock rates, are therefore read from the files of the
 * kernel.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "sys/gpu_priv.h"
#include "sys/library_functions.h"

/* Constants of ROCm SMI. Its functions return 0 or an error. */
enum {
	MEMORY_VRAM = 0,
	TEMPERATURE_EDGE = 0,
	TEMPERATURE_CURRENT = 0,
	COMPONENT_DRIVER = 0
};
enum { TEXT_SIZE = 128 };

static struct rocm {
	int (*init)(uint64_t flags);
	int (*count)(uint32_t *);
	int (*name)(uint32_t, char *, size_t);
	int (*pci)(uint32_t, uint64_t *);
	int (*power_average)(uint32_t, uint32_t sensor, uint64_t *microwatts);
	int (*power)(uint32_t, uint64_t *microwatts, int *type);
	int (*power_cap)(uint32_t, uint32_t sensor, uint64_t *microwatts);
	int (*energy)(uint32_t, uint64_t *count, float *microjoules, uint64_t *time);
	int (*busy)(uint32_t, uint32_t *percent);
	int (*memory_used)(uint32_t, int kind, uint64_t *bytes);
	int (*memory_total)(uint32_t, int kind, uint64_t *bytes);
	int (*temperature)(uint32_t, uint32_t sensor, int metric, int64_t *millidegrees);
	int (*version)(int component, char *, uint32_t);
	int (*ecc)(uint32_t, uint64_t *blocks);
} rocm;

static const struct library_function functions[] = {
	{ "rsmi_init", offsetof(struct rocm, init), false },
	{ "rsmi_num_monitor_devices", offsetof(struct rocm, count), false },
	{ "rsmi_dev_name_get", offsetof(struct rocm, name), true },
	{ "rsmi_dev_pci_id_get", offsetof(struct rocm, pci), true },
	{ "rsmi_dev_power_ave_get", offsetof(struct rocm, power_average), true },
	{ "rsmi_dev_power_get", offsetof(struct rocm, power), true },
	{ "rsmi_dev_power_cap_get", offsetof(struct rocm, power_cap), true },
	{ "rsmi_dev_energy_count_get", offsetof(struct rocm, energy), true },
	{ "rsmi_dev_busy_percent_get", offsetof(struct rocm, busy), true },
	{ "rsmi_dev_memory_usage_get", offsetof(struct rocm, memory_used), true },
	{ "rsmi_dev_memory_total_get", offsetof(struct rocm, memory_total), true },
	{ "rsmi_dev_temp_metric_get", offsetof(struct rocm, temperature), true },
	{ "rsmi_version_str_get", offsetof(struct rocm, version), true },
	{ "rsmi_dev_ecc_enabled_get", offsetof(struct rocm, ecc), true },
};

/* A card: its number and, if they were found, its files. */
struct rocm_card {
	uint32_t number;
	struct gpu_files *files;
};

void *gpu_rocm_library(void)
{
	static const char *const names[] = { "librocm_smi64.so.7", "librocm_smi64.so.6",
		"librocm_smi64.so.5", "librocm_smi64.so.1",
		"/opt/rocm/lib/librocm_smi64.so" };
	void *handle = NULL;

	for (size_t i = 0; i < COUNT(names) && !handle; i++)
		handle = dlopen(names[i], RTLD_NOW);
	return handle;
}

static int load_rocm(struct fault *f)
{
	void *handle = gpu_rocm_library();
	const char *lacks;

	if (!handle)
		return fault_set(f, "%s", "");
	lacks = library_functions_find(handle, functions, COUNT(functions), &rocm);
	return lacks ? fault_set(f, "librocm_smi64.so: no function %s", lacks) : 0;
}

/* Adds a card, with its PCI address and its files, as far as they can be found. */
static void add_rocm(struct gpu_card_list *list, uint32_t number)
{
	struct gpu_card *card = gpu_card_add(list, &gpu_rocm, "rocm_smi", number);
	struct rocm_card *c = mem_zero(1, sizeof(*c));
	uint64_t id;

	*c = (struct rocm_card){ .number = number };
	card->own = c;
	if (!rocm.pci || rocm.pci(number, &id))
		return;
	snprintf(card->pci, sizeof(card->pci),
	    "%04" PRIx64 ":%02" PRIx64 ":%02" PRIx64 ".%" PRIx64, id >> 32 & 0xffff,
	    id >> 8 & 0xff, id >> 3 & 0x1f, id & 7);
	c->files = gpu_files_of_pci(list->files, card->pci);
}

static int open_rocm(struct gpu_card_list *list, struct fault *f)
{
	uint32_t count = 0;

	if (!list->files->live)
		return fault_set(f, "%s", "");
	if (load_rocm(f) < 0)
		return -1;
	if (rocm.init(0) || rocm.count(&count) || !count)
		return fault_set(f, "ROCm SMI: no card is accessible");
	for (uint32_t i = 0; i < count; i++)
		add_rocm(list, i);
	return 0;
}

static void close_rocm(struct gpu_card *card)
{
	struct rocm_card *c = card->own;

	gpu_files_close(c->files);
	free(c);
}

static void read_rocm(struct gpu_card *card, double value[GPU_METRICS])
{
	const struct rocm_card *c = card->own;
	uint64_t n;
	uint32_t percent;
	int64_t millidegrees;
	int type;

	if ((rocm.power_average && !rocm.power_average(c->number, 0, &n)) ||
	    (rocm.power && !rocm.power(c->number, &n, &type)))
		value[GPU_POWER] = (double)n / 1e6;
	if (rocm.busy && !rocm.busy(c->number, &percent))
		value[GPU_UTILISATION] = percent / 1e2;
	if (rocm.memory_used && !rocm.memory_used(c->number, MEMORY_VRAM, &n))
		value[GPU_MEMORY] = (double)n;
	if (rocm.temperature && !rocm.temperature(c->number, TEMPERATURE_EDGE,
	                            TEMPERATURE_CURRENT, &millidegrees))
		value[GPU_TEMPERATURE] = (double)millidegrees / 1e3;
	if (c->files)
		gpu_files_read(c->files, value);
}

static bool read_rocm_energy(struct gpu_card *card, uint64_t *millijoules)
{
	const struct rocm_card *c = card->own;
	uint64_t count, time;
	float microjoules;

	if (!rocm.energy || rocm.energy(c->number, &count, &microjoules, &time))
		return false;
	*millijoules = (uint64_t)((double)count * (double)microjoules / 1e3);
	return true;
}

static void put_rocm_fact(struct gpu_card *card, enum gpu_fact fact, struct buf *out)
{
	const struct rocm_card *c = card->own;
	char text[TEXT_SIZE] = "";
	uint64_t n;

	if (fact == GPU_FACT_MODEL && rocm.name &&
	    rocm.name(c->number, text, sizeof(text)) == 0)
		buf_str(out, text);
	if (fact == GPU_FACT_DRIVER && rocm.version &&
	    rocm.version(COMPONENT_DRIVER, text, sizeof(text)) == 0)
		buf_printf(out, "amdgpu %s", text);
	if (fact == GPU_FACT_MEMORY && rocm.memory_total &&
	    rocm.memory_total(c->number, MEMORY_VRAM, &n) == 0)
		buf_printf(out, "%" PRIu64, n);
	if (fact == GPU_FACT_POWER_LIMIT && rocm.power_cap &&
	    rocm.power_cap(c->number, 0, &n) == 0)
		buf_printf(out, "%.15g", (double)n / 1e6);
	if (fact == GPU_FACT_ECC && rocm.ecc && rocm.ecc(c->number, &n) == 0)
		buf_str(out, n ? "on" : "off");
	if (c->files && !out->len)
		gpu_files_fact(c->files, fact, out);
}

const struct gpu_interface gpu_rocm = {
	.open = open_rocm,
	.close = close_rocm,
	.read = read_rocm,
	.energy = read_rocm_energy,
	.fact = put_rocm_fact,
};
