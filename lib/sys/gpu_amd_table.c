/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the table gpu_metrics; see gpu_amd_table.h. Its layout is that of struct
 * gpu_metrics_v1_3 of Linux's drivers/gpu/drm/amd/include/kgd_pp_interface.h, and the bits
 * are the SMU_THROTTLER_*_BIT of drivers/gpu/drm/amd/pm/swsmu/inc/amdgpu_smu.h. Numbers are
 * little-endian.
 */
#include "sys/gpu_amd_table.h"

/* The places of the fields, in bytes, and the size of the table. */
enum { AT_FORMAT = 2, AT_CONTENT = 3, AT_LIMITS = 112, TABLE_SIZE = 120 };

/* Limits of power; of currents; of temperatures; and of voltage. */
static const struct {
	enum gpu_metric metric;
	int first, last; /* bits */
} groups[] = {
	{ GPU_THROTTLE_POWER, 0, 15 },
	{ GPU_THROTTLE_OTHER, 16, 31 },
	{ GPU_THROTTLE_THERMAL, 32, 47 },
	{ GPU_THROTTLE_OTHER, 56, 63 },
};

void gpu_amd_table_limits(struct text table, double value[GPU_METRICS])
{
	uint64_t limits = 0;

	if (table.len < TABLE_SIZE || table.ptr[AT_FORMAT] != 1 ||
	    table.ptr[AT_CONTENT] != 3)
		return;
	for (int i = 7; i >= 0; i--)
		limits = limits << 8 | (unsigned char)table.ptr[AT_LIMITS + i];
	if (limits == UINT64_MAX) /* all fields are so before the driver fills them in */
		return;
	for (size_t i = 0; i < COUNT(groups); i++) {
		double *sum = &value[groups[i].metric];
		const uint64_t bits =
		    (limits >> groups[i].first) &
		    ((UINT64_C(1) << (groups[i].last - groups[i].first + 1)) - 1);

		*sum = *sum > 0 || bits;
	}
}
