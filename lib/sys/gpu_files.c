/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the files of cards of AMD and Intel: those of the drivers amdgpu, i915 and xe below
 * /sys/class/drm, and of their hwmon devices (Linux's Documentation/gpu/amdgpu/thermal.rst
 * and Documentation/ABI/testing/sysfs-driver-intel-*).
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/dir_names.h"
#include "sys/gpu_amd_table.h"
#include "sys/gpu_priv.h"
#include "text/units.h"

static const char *const kernel_drivers[] = { "amdgpu", "i915", "xe" };

struct gpu_files {
	const struct kernel_files *files;
	const char *driver; /* one of kernel_drivers */
	char *base, *hwmon; /* directories; hwmon is NULL if there is none */
	char address[16], id[16];
	const char *energy; /* the file of the energy counter; NULL: none */
	double last_j;      /* the energy at the last reading; NAN: none */
	int64_t last_ns;
};

/* The directory of a file: the card's, or its hwmon device's. */
enum place { OF_CARD, OF_HWMON };

/* Files of metrics. The first one that exists is used. */
static const struct {
	enum gpu_metric metric;
	enum place place;
	const char *name;
	double unit;
} metric_files[] = {
	{ GPU_POWER, OF_HWMON, "power1_average", 1e-6 },
	{ GPU_POWER, OF_HWMON, "power1_input", 1e-6 },
	{ GPU_UTILISATION, OF_CARD, "device/gpu_busy_percent", 1e-2 },
	{ GPU_MEMORY, OF_CARD, "device/mem_info_vram_used", 1 },
	{ GPU_TEMPERATURE, OF_HWMON, "temp1_input", 1e-3 },
	{ GPU_TEMPERATURE, OF_HWMON, "temp2_input", 1e-3 },
	{ GPU_CLOCK, OF_HWMON, "freq1_input", 1 },
	{ GPU_CLOCK, OF_CARD, "device/tile0/gt0/freq0/act_freq", 1e6 },
	{ GPU_CLOCK, OF_CARD, "gt/gt0/rps_act_freq_mhz", 1e6 },
	{ GPU_CLOCK, OF_CARD, "gt_act_freq_mhz", 1e6 },
	{ GPU_MEMORY_CLOCK, OF_HWMON, "freq2_input", 1 },
};

/* Reasons of a limit, after each of the prefixes. */
static const char *const reason_prefixes[] = { "device/tile0/gt0/freq0/throttle/reason_",
	"gt/gt0/throttle_reason_" };
static const struct {
	enum gpu_metric metric;
	const char *name;
} reasons[] = {
	{ GPU_THROTTLE_POWER, "pl1" },
	{ GPU_THROTTLE_POWER, "pl2" },
	{ GPU_THROTTLE_POWER, "pl4" },
	{ GPU_THROTTLE_THERMAL, "thermal" },
	{ GPU_THROTTLE_THERMAL, "prochot" },
	{ GPU_THROTTLE_THERMAL, "vr_thermalert" },
	{ GPU_THROTTLE_OTHER, "ratl" },
	{ GPU_THROTTLE_OTHER, "vr_tdc" },
};

/* Files of facts. The first one that exists is used; unit 0: text. */
static const struct {
	enum gpu_fact fact;
	enum place place;
	const char *name;
	double unit;
} fact_files[] = {
	{ GPU_FACT_MODEL, OF_CARD, "device/product_name", 0 },
	{ GPU_FACT_MEMORY, OF_CARD, "device/mem_info_vram_total", 1 },
	{ GPU_FACT_MEMORY, OF_CARD, "device/tile0/physical_vram_size_bytes", 1 },
	{ GPU_FACT_MEMORY, OF_CARD, "lmem_total_bytes", 1 },
	{ GPU_FACT_POWER_LIMIT, OF_HWMON, "power1_cap", 1e-6 },
	{ GPU_FACT_POWER_LIMIT, OF_HWMON, "power1_max", 1e-6 },
	{ GPU_FACT_POWER_LIMIT, OF_HWMON, "power2_max", 1e-6 },
	{ GPU_FACT_PARTITION, OF_CARD, "device/current_compute_partition", 0 },
};

/* Energy counters of Intel: of the card, and of the chip. */
static const char *const energy_files[] = { "energy1_input", "energy2_input" };

/* Appends the path of a file. Returns false if the card has no such directory. */
static bool put_path(
    const struct gpu_files *c, enum place place, const char *name, struct buf *path)
{
	const char *directory = place == OF_HWMON ? c->hwmon : c->base;

	path->len = 0;
	if (directory)
		buf_printf(path, "%s%s", directory, name);
	return directory;
}

static bool read_number(
    const struct gpu_files *c, enum place place, const char *name, double unit, double *out)
{
	struct buf path = { 0 };
	double number;
	bool known = put_path(c, place, name, &path) &&
	             kernel_file_number(c->files, path.ptr, &number);

	if (known) /* a quotient of whole numbers is rounded only once */
		*out = unit < 1 ? number / round(1 / unit) : number * unit;
	buf_free(&path);
	return known;
}

static void read_reasons(const struct gpu_files *c, double value[GPU_METRICS])
{
	char name[64];
	double now;

	for (size_t p = 0; p < COUNT(reason_prefixes); p++)
		for (size_t i = 0; i < COUNT(reasons); i++) {
			double *sum = &value[reasons[i].metric];

			snprintf(name, sizeof(name), "%s%s", reason_prefixes[p],
			    reasons[i].name);
			if (read_number(c, OF_CARD, name, 1, &now))
				*sum = *sum > 0 || now > 0;
		}
}

static bool is_amd(const struct gpu_files *c)
{
	return strcmp(c->driver, "amdgpu") == 0;
}

/* Finds the energy counter. The driver xe has the file of the card's counter where the
 * hardware has none; it then remains 0. */
static void find_energy(struct gpu_files *c)
{
	double joules;

	for (size_t i = 0; i < COUNT(energy_files) && !c->energy && !is_amd(c); i++)
		if (read_number(c, OF_HWMON, energy_files[i], 1e-6, &joules) && joules > 0)
			c->energy = energy_files[i];
}

bool gpu_files_energy(const struct gpu_files *c, double *joules)
{
	return c->energy && read_number(c, OF_HWMON, c->energy, 1e-6, joules);
}

static void read_amd_table(const struct gpu_files *c, double value[GPU_METRICS])
{
	struct buf path = { 0 }, table = { 0 };

	put_path(c, OF_CARD, "device/gpu_metrics", &path);
	if (kernel_file_read(c->files, path.ptr, &table))
		gpu_amd_table_limits(text_in(&table), value);
	buf_free(&path);
	buf_free(&table);
}

/* Returns the mean power since the counter was last updated; NAN if it is not known. */
static double derive_power(struct gpu_files *c)
{
	int64_t now_ns = clock_monotonic_ns();
	double joules, power = NAN;

	if (!gpu_files_energy(c, &joules) || joules == c->last_j)
		return NAN;
	if (joules > c->last_j && now_ns > c->last_ns)
		power = (joules - c->last_j) / (double)(now_ns - c->last_ns) * 1e9;
	c->last_j = joules;
	c->last_ns = now_ns;
	return power;
}

void gpu_files_read(struct gpu_files *c, double value[GPU_METRICS])
{
	for (size_t i = 0; i < COUNT(metric_files); i++)
		if (isnan(value[metric_files[i].metric]))
			read_number(c, metric_files[i].place, metric_files[i].name,
			    metric_files[i].unit, &value[metric_files[i].metric]);
	if (isnan(value[GPU_POWER]))
		value[GPU_POWER] = derive_power(c);
	read_reasons(c, value);
	if (is_amd(c))
		read_amd_table(c, value);
}

/*
 * Appends a fact of the link to the slot. Cards contain a switch, so that the files of PCI
 * describe a link within the card: those of Intel name 2.5 GT/s and one lane for each. The
 * driver amdgpu lists the rates and widths of the link to the slot, the highest last, in
 * lines such as "1: 16.0GT/s, x8 619Mhz *". Generations are those of the PCI Express Base
 * Specification.
 */
static void put_link(const struct gpu_files *c, enum gpu_fact fact, struct buf *out)
{
	static const double rates[] = { 2.5, 5, 8, 16, 32, 64 };
	struct buf path = { 0 }, about = { 0 };
	struct text lines = { 0 }, last = { 0 };
	double rate;
	unsigned width;
	char line[64];

	put_path(c, OF_CARD, "device/pp_dpm_pcie", &path);
	if (is_amd(c) && kernel_file_read(c->files, path.ptr, &about))
		lines = text_in(&about);
	while (lines.len) {
		struct text next = text_trim(text_next_line(&lines));

		last = next.len ? next : last;
	}
	snprintf(line, sizeof(line), "%.*s", (int)last.len, last.len ? last.ptr : "");
	if (sscanf(line, "%*u: %lfGT/s, x%u", &rate, &width) == 2) {
		for (size_t i = 0; i < COUNT(rates) && fact == GPU_FACT_PCIE_GEN; i++)
			if (rate == rates[i])
				buf_printf(out, "%zu", i + 1);
		if (fact == GPU_FACT_PCIE_WIDTH)
			buf_printf(out, "%u", width);
	}
	buf_free(&path);
	buf_free(&about);
}

/* Appends the driver and, if it is not part of the kernel, its version. */
static void put_driver(const struct gpu_files *c, struct buf *out)
{
	struct buf path = { 0 }, version = { 0 };

	buf_printf(&path, "sys/module/%s/version", c->driver);
	buf_str(out, c->driver);
	if (kernel_file_line(c->files, path.ptr, &version) && version.len)
		buf_printf(out, " %s", version.ptr);
	buf_free(&path);
	buf_free(&version);
}

void gpu_files_fact(struct gpu_files *c, enum gpu_fact fact, struct buf *out)
{
	struct buf path = { 0 };

	for (size_t i = 0; i < COUNT(fact_files) && !out->len; i++) {
		double number;

		if (fact_files[i].fact != fact)
			continue;
		if (fact_files[i].unit == 0 &&
		    put_path(c, fact_files[i].place, fact_files[i].name, &path))
			kernel_file_line(c->files, path.ptr, out);
		else if (read_number(c, fact_files[i].place, fact_files[i].name,
		             fact_files[i].unit, &number) &&
		         number > 0)
			buf_printf(out, "%.15g", number);
	}
	buf_free(&path);
	if (fact == GPU_FACT_MODEL && !out->len)
		buf_printf(out, "%s %s", is_amd(c) ? "AMD" : "Intel", c->id);
	if (fact == GPU_FACT_DRIVER)
		put_driver(c, out);
	if (fact == GPU_FACT_PCIE_GEN || fact == GPU_FACT_PCIE_WIDTH)
		put_link(c, fact, out);
}

void gpu_files_close(struct gpu_files *c)
{
	if (!c)
		return;
	free(c->base);
	free(c->hwmon);
	free(c);
}

/* Copies the value of a line KEY=value. */
static void copy_value(struct text line, const char *key, char *out, size_t size)
{
	size_t len = strlen(key);

	if (line.len > len && memcmp(line.ptr, key, len) == 0)
		snprintf(out, size, "%.*s", (int)(line.len - len), line.ptr + len);
}

static char *find_hwmon(const struct kernel_files *files, const char *base)
{
	struct buf path = { 0 };
	char **names, *found = NULL;
	size_t count;

	buf_printf(&path, "%sdevice/hwmon", base);
	count = kernel_dir_names(files, path.ptr, &names);
	for (size_t i = 0; i < count && !found; i++)
		if (strncmp(names[i], "hwmon", 5) == 0)
			found = str_format("%s/%s/", path.ptr, names[i]);
	dir_names_free(names, count);
	buf_free(&path);
	return found;
}

/* Returns whether a name is that of a card, not of one of its connectors. */
static bool is_card(const char *name)
{
	return strncmp(name, "card", 4) == 0 && isdigit((unsigned char)name[4]) &&
	       !strchr(name, '-');
}

struct gpu_files *gpu_files_open(const struct kernel_files *files, const char *name)
{
	char driver[16] = "", address[16] = "", id[16] = "";
	struct gpu_files *c = NULL;
	struct buf path = { 0 }, about = { 0 };
	struct text lines;

	if (!is_card(name))
		return NULL;
	buf_printf(&path, GPU_FILES_DIR "%s/device/uevent", name);
	if (kernel_file_read(files, path.ptr, &about)) {
		for (lines = text_in(&about); lines.len;) {
			struct text line = text_next_line(&lines);

			copy_value(line, "DRIVER=", driver, sizeof(driver));
			copy_value(line, "PCI_SLOT_NAME=", address, sizeof(address));
			copy_value(line, "PCI_ID=", id, sizeof(id));
		}
	}
	for (size_t i = 0; i < COUNT(kernel_drivers); i++) {
		if (strcmp(driver, kernel_drivers[i]) != 0)
			continue;
		c = mem_zero(1, sizeof(*c));
		c->files = files;
		c->driver = kernel_drivers[i];
		c->base = str_format(GPU_FILES_DIR "%s/", name);
		c->hwmon = find_hwmon(files, c->base);
		c->last_j = NAN;
		memcpy(c->address, address, sizeof(address));
		memcpy(c->id, id, sizeof(id));
		find_energy(c);
	}
	buf_free(&path);
	buf_free(&about);
	return c;
}

struct gpu_files *gpu_files_of_pci(const struct kernel_files *files, const char *address)
{
	struct gpu_files *found = NULL;
	char **names;
	size_t count = kernel_dir_names(files, GPU_FILES_DIR, &names);

	for (size_t i = 0; i < count && !found; i++) {
		found = gpu_files_open(files, names[i]);
		if (found && strcmp(found->address, address) != 0) {
			gpu_files_close(found);
			found = NULL;
		}
	}
	dir_names_free(names, count);
	return found;
}

const char *gpu_files_driver(const struct gpu_files *c)
{
	return c->driver;
}

const char *gpu_files_address(const struct gpu_files *c)
{
	return c->address;
}
