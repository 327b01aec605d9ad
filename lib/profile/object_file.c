/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens the files of objects; see object_file.h.
 */
#include <stdlib.h>
#include <sys/auxv.h>

#include "base/clock.h"
#include "profile/object_file.h"

/* Returns whether a file is younger than the mapping, that is, was replaced after it. */
static bool is_younger(const struct elf_file *e, uint64_t mapped_ns)
{
	int64_t changed_ns =
	    elf_file_changed_ns(e) - clock_realtime_ns() + clock_monotonic_ns();

	return mapped_ns && changed_ns > (int64_t)mapped_ns;
}

struct elf_file *object_file_open(const struct maps *maps, uint32_t object, bool *replaced)
{
	struct object o = maps_object(maps, object);
	struct elf_file *e = NULL;

	*replaced = false;
	if (o.kind == OBJECT_IS_FILE) {
		char *path = mem_text(o.path.ptr, o.path.len);

		e = elf_file_open(path);
		free(path);
		*replaced = e && is_younger(e, o.mapped_ns);
		if (*replaced) {
			elf_file_close(e);
			e = NULL;
		}
	} else if (o.kind == OBJECT_IS_VDSO) {
		/* The kernel maps the same vdso into all processes of an architecture. */
		void *image = (void *)getauxval(AT_SYSINFO_EHDR);

		e = image ? elf_file_image(image) : NULL;
	}
	return e;
}
