/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting for a quiet machine.
 */
#ifndef SYS_IDLE_H
#define SYS_IDLE_H

#include <stdbool.h>

/* Waits until fewer than busy_max processors were busy during 100 ms. Returns false if that
 * has not happened after 60 s. */
bool idle_wait(double busy_max);

#endif
