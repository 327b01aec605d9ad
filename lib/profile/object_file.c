/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens the files of objects; see object_file.h.
 */
#include <stdlib.h>
#include <sys/auxv.h>

#include "base/clock.h"
#include "profile/object_file.h"

/*
 * Returns whether a file was replaced after it was mapped. A file with the inode of the
 * mapping is another one only if it was written since: a new link or owner also changes its
 * status. Without that inode, which file systems of layers hide, the time of the status
 * decides, because a file that is moved to this name may have been written earlier.
 */
static bool is_replaced(const struct elf_file *e, const struct object *o)
{
	const struct elf_file_times file = elf_file_times(e);
	const int64_t since_boot = clock_monotonic_ns() - clock_realtime_ns();
	const bool same = file.inode && file.inode == o->inode;

	return o->mapped_ns && (same ? file.written_ns : file.changed_ns) + since_boot >
	                           (int64_t)o->mapped_ns;
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
		*replaced = e && is_replaced(e, &o);
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
