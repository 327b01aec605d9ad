/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine as a subject; see machine_subject.h.
 */
#include <stdlib.h>
#include <string.h>

#include "subject/machine_subject.h"
#include "subject/window_length.h"
#include "sys/machine_reading.h"
#include "text/near_name.h"

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

/* Tries to read the machine. Returns 0, or -1 and the reason why it cannot be measured. */
static int try_machine(struct fault *why)
{
	struct machine_reading now = { 0 };
	struct kernel_files files;
	int status = kernel_files_open(&files, kernel_files_root(), why);

	if (status < 0)
		return -1;
	status = machine_reading_take(&files, &now, why);
	machine_reading_free(&now);
	kernel_files_close(&files);
	return status;
}

int machine_template_add(
    struct templates *list, const char *per, double window_ns, struct fault *f)
{
	struct template t = { .kind = KIND_MACHINE };
	const struct machine_parts *kind = NULL;
	struct fault why;

	if (per && find_parts(per, &kind, f) < 0)
		return -1;
	t.machine = mem_zero(1, sizeof(*t.machine));
	*t.machine = (struct machine_subject){ window_ns, kind };
	t.bench = str_copy("machine");
	if (window_length_add(&t, window_ns, f) < 0) {
		template_free(&t);
		return -1;
	}
	if (try_machine(&why) < 0)
		template_set_absent(&t, &why);
	*VEC_ADD(list->item, list->count, list->cap) = t;
	return 0;
}

void machine_subject_free(struct machine_subject *s)
{
	free(s);
}
