/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control groups; see group_subject.h.
 */
#include <stdlib.h>
#include <string.h>

#include "subject/group_subject.h"
#include "sys/group_reading.h"

/* Opens the directory of a group. Returns 0 and its name, which is allocated, or -1 and the
 * reason why it cannot be measured. */
static int open_group(
    struct group_subject *s, const char *group, char **name, struct fault *why)
{
	struct kernel_files machine;
	char *below, *path;
	int status;

	*name = NULL;
	if (kernel_files_open(&machine, kernel_files_root(), why) < 0)
		return -1;
	status = group_find(&machine, group, &below, name, why);
	kernel_files_close(&machine);
	if (status < 0)
		return -1;
	path = str_format("%s/%s", kernel_files_root(), below);
	status = kernel_files_open(&s->files, path, why);
	s->open = status == 0;
	free(path);
	free(below);
	return status;
}

int group_template_add(struct templates *list, const char *group,
    const struct window_length *length, struct fault *f)
{
	struct template t = { .kind = KIND_GROUP };
	struct fault why;
	char *name;
	const bool several = strchr(group, ',') != NULL;

	if (!*group)
		return fault_set(f, "--cgroup: the name of the control group is empty");
	t.group = mem_zero(1, sizeof(*t.group));
	t.group->window_ns = window_length_ns(length);
	if (open_group(t.group, group, &name, &why) < 0) {
		struct fault message;

		fault_set(&message, "%s%s", why.text,
		    several ? "; give --cgroup once for each" : "");
		template_set_absent(&t, &message);
	}
	t.bench = str_copy(!name ? group : *name ? name : "/");
	free(name);
	if (window_length_add(&t, length, f) < 0) {
		template_free(&t);
		return -1;
	}
	*VEC_ADD(list->item, list->count, list->cap) = t;
	return 0;
}

void group_subject_free(struct group_subject *s)
{
	if (s && s->open)
		kernel_files_close(&s->files);
	free(s);
}
