/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of small whole numbers, as people write them: "0,2-3", "0..7"; and as the kernel
 * writes lists of processors. Pure.
 */
#ifndef TEXT_NUMBER_SET_H
#define TEXT_NUMBER_SET_H

#include <sched.h>

#include "base/base.h"

/* Marks the listed numbers in set, which has size places. Returns 0, or -1 and the message.
 */
int number_set_parse(const char *list, bool *set, size_t size, struct fault *f);
/* Fills out with the listed processors. Returns 0, or -1 and the message. */
int number_set_cpus(const char *list, cpu_set_t *out, struct fault *f);

/* Processor numbers in the kernel's CPU lists, "0-3,8", are below this; see cpuset(7). */
enum { CPUS_MAX = 8192 };
/*
 * Returns how many processors a list of the kernel names, and marks each in set, which has
 * CPUS_MAX places, unless set is NULL. Processors whose number is CPUS_MAX or more do not
 * count.
 */
size_t cpu_list_parse(struct text list, bool *set);
/* Appends the marked processors as the kernel writes them; "none" when none is marked. */
void cpu_list_put(struct buf *out, const bool *set);

#endif
