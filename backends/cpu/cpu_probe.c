/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes the device from /proc, the processor and OpenBLAS. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cpu_blas.h"
#include "cpu_dispatch.h"
#include "cpu_dnn.h"
#include "cpu_probe.h"
#include "cpu_quantized.h"

/* The widths of the vectors of OpenBLAS's core types, in bits; only those of x86-64,
 * because others have no narrower choice. */
static const struct {
	const char *core;
	uint32_t bits;
} cores[] = {
	{ "Prescott", 128 },
	{ "Core2", 128 },
	{ "Penryn", 128 },
	{ "Dunnington", 128 },
	{ "Nehalem", 128 },
	{ "Atom", 128 },
	{ "Nano", 128 },
	{ "Athlon", 128 },
	{ "Opteron", 128 },
	{ "Opteron_SSE3", 128 },
	{ "Barcelona", 128 },
	{ "Bobcat", 128 },
	{ "Sandybridge", 256 },
	{ "Bulldozer", 256 },
	{ "Piledriver", 256 },
	{ "Steamroller", 256 },
	{ "Excavator", 256 },
	{ "Haswell", 256 },
	{ "Zen", 256 },
	{ "SkylakeX", 512 },
	{ "Cooperlake", 512 },
	{ "Sapphirerapids", 512 },
};

/* Returns the vector width of a core type, in bits; 0 if unknown. */
static uint32_t core_bits(const char *core)
{
	for (size_t i = 0; i < sizeof(cores) / sizeof(*cores); i++)
		if (strcasecmp(cores[i].core, core) == 0)
			return cores[i].bits;
	return 0;
}

int cpu_processors(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
	return count > 0 ? count : 1;
}

/* Reads the text after the first "NAME ... :" of a file of /proc. */
static void proc_read_field(const char *path, const char *name, char *out, size_t size)
{
	char line[512];
	FILE *f = fopen(path, "r");
	*out = '\0';
	while (f && !*out && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');
		if (strncmp(line, name, strlen(name)) != 0 || !colon)
			continue;
		char *text = colon + 1 + strspn(colon + 1, " \t");
		text[strcspn(text, "\n")] = '\0';
		snprintf(out, size, "%s", text);
	}
	if (f)
		fclose(f);
}

/* Warns of vectors that are narrower than those of the processor. The user may have chosen
 * them, so they are not changed. */
static void device_warn_narrow(struct backend_device *d)
{
	uint32_t blas = core_bits(cpu_blas_core()), here = cpu_isa_best()->bits;
	const char *asked = getenv("OPENBLAS_CORETYPE");
	if (blas == 0 || blas >= here)
		return;
	if (asked && *asked)
		snprintf(d->warning, sizeof(d->warning),
		    "OpenBLAS uses %s with %u-bit vectors instead of %u, because "
		    "OPENBLAS_CORETYPE is %.32s; unset it for full speed",
		    cpu_blas_core(), blas, here, asked);
	else
		snprintf(d->warning, sizeof(d->warning),
		    "OpenBLAS %.48s uses %s with %u-bit vectors instead of %u, because it "
		    "does not support this processor; a newer version may",
		    cpu_blas_config(), cpu_blas_core(), blas, here);
}

int cpu_probe(struct backend_device *list, size_t max, char *why)
{
	char kilobytes[64];
	(void)why;
	if (max == 0)
		return 0;
	struct backend_device *d = &list[0];
	*d = (struct backend_device){ .type = "cpu" };
	proc_read_field("/proc/cpuinfo", "model name", d->name, sizeof(d->name));
	if (!*d->name)
		snprintf(d->name, sizeof(d->name), "CPU");
	proc_read_field("/proc/meminfo", "MemTotal", kilobytes, sizeof(kilobytes));
	d->memory_bytes = strtoull(kilobytes, NULL, 10) * 1024;
	const char *dnn = cpu_dnn_version();
	snprintf(d->detail, sizeof(d->detail),
	    "OpenBLAS %s, %s; kernels %s; %s%s%s%s, int8 by %s", cpu_blas_core(),
	    cpu_blas_threading(), cpu_isa_best()->name, *dnn ? "oneDNN " : "without oneDNN",
	    dnn, cpu_dnn_products() ? ", including float32 products" : "",
	    cpu_dnn_bfloat16() ? "; bfloat16 by AVX512-BF16" : "; bfloat16 in float32",
	    cpu_int8_name());
	snprintf(d->version, sizeof(d->version), "%.63s", cpu_blas_config());
	device_warn_narrow(d);
	d->units = (uint32_t)cpu_processors();
	d->threads = true;
	d->dtypes = 1u << BACKEND_FLOAT32 | 1u << BACKEND_FLOAT64 | 1u << BACKEND_FLOAT16 |
	            1u << BACKEND_BFLOAT16 | 1u << BACKEND_INT8;
	return 1;
}
