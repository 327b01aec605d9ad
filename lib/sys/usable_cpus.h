/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processors on which processes of this one may run.
 */
#ifndef SYS_USABLE_CPUS_H
#define SYS_USABLE_CPUS_H

#include <sched.h>
#include <stdbool.h>

/*
 * Stores the processors to which the kernel allows this process to move, which may be more
 * than those on which it runs. Returns false if it fails. The affinity of
 * the calling thread is the same afterwards.
 */
bool usable_cpus(cpu_set_t *out);

#endif
