/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the machine; see cpu_parts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "window/cpu_parts.h"

/* Returns the number of the part that a processor belongs to, which is allocated; NULL if
 * it is not known. */
static char *read_part(
    const struct machine_parts *per, const struct kernel_files *files, unsigned cpu)
{
	struct buf line = { 0 };
	char *path, *part = NULL;

	if (!per->file)
		return str_format("%u", cpu);
	path = str_format("sys/devices/system/cpu/cpu%u/%s", cpu, per->file);
	if (kernel_file_line(files, path, &line) && line.len)
		part = mem_text(line.ptr, line.len);
	buf_free(&line);
	free(path);
	return part;
}

const struct known_cpu *cpu_parts_find(const struct cpu_parts *p, unsigned number)
{
	for (size_t i = 0; i < p->cpus; i++)
		if (p->cpu[i].number == number)
			return &p->cpu[i];
	return NULL;
}

/* Returns the place of a part in the list, to which it is added if it is new. */
static size_t place_of(struct cpu_parts *p, char *part)
{
	size_t i = 0;

	while (i < p->count && strcmp(p->number[i], part) != 0)
		i++;
	if (i < p->count)
		free(part);
	else
		*VEC_ADD(p->number, p->count, p->cap) = part;
	return i;
}

void cpu_parts_learn(struct cpu_parts *p, const struct machine_parts *per,
    const struct kernel_files *files, const struct machine_reading *now)
{
	for (size_t i = 0; per && i < now->cpus; i++) {
		const unsigned number = now->cpu[i].number;
		char *part =
		    cpu_parts_find(p, number) ? NULL : read_part(per, files, number);

		if (!part)
			continue;
		const size_t place = place_of(p, part);
		*VEC_ADD(p->cpu, p->cpus, p->cpu_cap) = (struct known_cpu){ number, place };
	}
}

void cpu_parts_free(struct cpu_parts *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->number[i]);
	free(p->number);
	free(p->cpu);
	*p = (struct cpu_parts){ 0 };
}
