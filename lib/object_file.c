/*
 * Objects as files; see object_file.h.
 */
#include <stdlib.h>
#include <sys/auxv.h>

#include "object_file.h"

struct elf_file *object_file_open(const struct maps *maps, uint32_t object)
{
	struct object o = maps_object(maps, object);
	struct elf_file *e = NULL;

	if (o.kind == OBJECT_IS_FILE) {
		char *path = mem_text(o.path.ptr, o.path.len);

		e = elf_file_open(path);
		free(path);
	} else if (o.kind == OBJECT_IS_VDSO) {
		/* The kernel maps the same into every process of our kind, this one too. */
		void *image = (void *)getauxval(AT_SYSINFO_EHDR);

		e = image ? elf_file_image(image) : NULL;
	}
	return e;
}
