/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the table gpu_metrics of the driver amdgpu. Pure.
 */
#ifndef SYS_GPU_AMD_TABLE_H
#define SYS_GPU_AMD_TABLE_H

#include "sys/gpu.h"

/*
 * Stores what limits the clock rates, as 1 or 0, in value[GPU_THROTTLE_POWER], _THERMAL and
 * _OTHER. Leaves them unchanged if the table is of another version than 1.3, which the
 * driver has for cards, or if the card does not report limits.
 */
void gpu_amd_table_limits(struct text table, double value[GPU_METRICS]);

#endif
