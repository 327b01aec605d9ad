/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine as a subject; see machine_subject.h.
 */
#include <stdlib.h>
#include <string.h>

#include "subject/machine_subject.h"
#include "sys/machine_reading.h"
#include "text/near_name.h"
#include "text/number_set.h"

#define CPUS_COLUMN "cpus" /* the factor with the list of processors */

const struct machine_parts machine_parts[] = {
	{ "cpu", NULL },
	{ "socket", "topology/physical_package_id" },
};
const size_t machine_parts_count = COUNT(machine_parts);

/* Finds a kind of parts. Returns 0, or -1 and the message. */
static int find_parts(const char *name, const struct machine_parts **out, struct fault *f)
{
	struct known_names known = { 0 };

	for (size_t i = 0; i < machine_parts_count; i++)
		if (strcmp(machine_parts[i].name, name) == 0) {
			*out = &machine_parts[i];
			return 0;
		}
	known_names_add_all(
	    &known, machine_parts, sizeof(*machine_parts), machine_parts_count);
	return unknown_name(f, "--per: unknown part of the machine", text_of(name), &known);
}

/* Reads the machine once. Returns 0, or -1 and the reason why it cannot be measured. */
static int read_machine(struct machine_reading *now, struct fault *why)
{
	struct kernel_files files;
	int status = kernel_files_open(&files, kernel_files_root(), why);

	if (status < 0)
		return -1;
	status = machine_reading_take(&files, now, why);
	kernel_files_close(&files);
	return status;
}

/* Refuses processors that are not online. Returns 0, or -1 and the message. */
static int check_online(
    const char *list, const bool *cpus, const struct machine_reading *now, struct fault *f)
{
	bool *online = mem_zero(CPUS_MAX, sizeof(*online)),
	     *missing = mem_zero(CPUS_MAX, sizeof(*missing)), any = false;
	struct buf text = { 0 };
	size_t split;

	for (size_t i = 0; i < now->cpus; i++)
		if (now->cpu[i].number < CPUS_MAX)
			online[now->cpu[i].number] = true;
	for (size_t i = 0; i < CPUS_MAX; i++) {
		missing[i] = cpus[i] && !online[i];
		any = any || missing[i];
	}
	cpu_list_put(&text, missing);
	split = text.len;
	cpu_list_put(&text, online);
	if (any)
		fault_set(f,
		    "--cpu %s: processors that do not exist or are offline: %.*s (online: "
		    "%s)",
		    list, (int)split, text.ptr, text.ptr + split);
	buf_free(&text);
	free(missing);
	free(online);
	return any ? -1 : 0;
}

/* Reads a list of processors, and names it in a column. Returns 0, or -1 and the message.
 */
static int read_cpus(struct template *t, const char *list,
    const struct machine_reading *now, struct fault *f)
{
	bool *cpus = mem_zero(CPUS_MAX, sizeof(*cpus));
	struct buf name = { 0 };

	t->machine->cpus = cpus;
	if (number_set_parse(list, cpus, CPUS_MAX, f) < 0)
		return fault_prefix(f, "--cpu");
	if (!t->absent && check_online(list, cpus, now, f) < 0)
		return -1;
	cpu_list_put(&name, cpus);
	template_add_factor(t, CPUS_COLUMN, name.ptr, false);
	buf_free(&name);
	return 0;
}

int machine_template_add(struct templates *list, const struct machine_opts *options,
    const struct window_length *length, struct fault *f)
{
	struct template t = { .kind = KIND_MACHINE };
	const struct machine_parts *per = NULL;
	struct machine_reading now = { 0 };
	struct fault why;
	int status;

	if (options->per && find_parts(options->per, &per, f) < 0)
		return -1;
	t.machine = mem_zero(1, sizeof(*t.machine));
	*t.machine =
	    (struct machine_subject){ .window_ns = window_length_ns(length), .per = per };
	t.bench = str_copy("machine");
	if (read_machine(&now, &why) < 0)
		template_set_absent(&t, &why);
	status = window_length_add(&t, length, f);
	if (status == 0 && options->cpus)
		status = read_cpus(&t, options->cpus, &now, f);
	machine_reading_free(&now);
	if (status == 0)
		*VEC_ADD(list->item, list->count, list->cap) = t;
	else
		template_free(&t);
	return status;
}

void machine_subject_free(struct machine_subject *s)
{
	if (s)
		free(s->cpus);
	free(s);
}
