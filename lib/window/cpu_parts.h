/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the machine that its processors belong to, such as sockets.
 */
#ifndef WINDOW_CPU_PARTS_H
#define WINDOW_CPU_PARTS_H

#include "subject/machine_subject.h"
#include "sys/machine_reading.h"

/* A processor that has been online, and the place of its part in the list. */
struct known_cpu {
	unsigned number;
	size_t part;
};

/* Zero it to begin. */
struct cpu_parts {
	struct known_cpu *cpu;
	size_t cpus, cpu_cap;
	char **number; /* of the parts, as the kernel writes it */
	size_t count, cap;
};

/*
 * Notes the parts of the processors that are online now; per NULL: there are no parts. The
 * kernel does not say to which part a processor belongs that is offline.
 */
void cpu_parts_learn(struct cpu_parts *p, const struct machine_parts *per,
    const struct kernel_files *files, const struct machine_reading *now);
/* Returns a processor; otherwise NULL. */
const struct known_cpu *cpu_parts_find(const struct cpu_parts *p, unsigned number);
void cpu_parts_free(struct cpu_parts *p);

#endif
