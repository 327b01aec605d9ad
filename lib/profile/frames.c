/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Caches unwinding rules by place; see frames.h. Most places of a function share a row. A
 * row is stored once for the start of its range, and each requested place refers to its
 * row.
 */
#include <stdlib.h>

#include "elf/debug_info.h"
#include "elf/elf_file.h"
#include "profile/frames.h"
#include "profile/object_file.h"

struct key {
	uint64_t address, object;
};

struct frames {
	const struct maps *maps;
	struct file {
		bool sought;
		struct elf_file *elf;
		struct debug_info *info;
	} * file; /* by object */
	size_t files;
	struct intern places; /* numbers of requested places (struct key) */
	size_t *row_of;       /* by number of the place: row + 1, or 0 */
	size_t row_of_cap, known;
	struct intern starts; /* numbers of the starts of the ranges of rows */
	struct unwind_row **row;
	size_t rows, row_cap;
};

struct frames *frames_open(const struct maps *maps)
{
	struct frames *f = mem_zero(1, sizeof(*f));

	f->maps = maps;
	return f;
}

static struct file *file_of(struct frames *f, uint32_t object)
{
	struct file *file;

	if (object >= f->files) {
		size_t files = maps_objects(f->maps);

		f->file = mem_resize(f->file, files, sizeof(*f->file));
		memset(f->file + f->files, 0, (files - f->files) * sizeof(*f->file));
		f->files = files;
	}
	file = &f->file[object];
	if (!file->sought) {
		file->sought = true;
		bool replaced;

		file->elf = object_file_open(f->maps, object, &replaced);
		file->info = file->elf ? debug_info_open(file->elf) : NULL;
	}
	return file;
}

/* Returns row + 1 for a place, and caches it for the start of its range; 0: none. */
static size_t find_row(struct frames *f, uint32_t object, uint64_t where)
{
	struct file *file = file_of(f, object);
	struct key start = { .object = object };
	struct unwind_row row;
	uint64_t address;
	size_t number;

	if (!file->info || !elf_file_address(file->elf, where, &address) ||
	    !debug_info_row(file->info, address, &row, &start.address))
		return 0;
	number =
	    intern_add(&f->starts, (struct text){ (const char *)&start, sizeof(start) });
	if (number < f->rows) {
		unwind_row_free(&row);
		return number + 1;
	}
	*VEC_ADD(f->row, f->rows, f->row_cap) = mem_zero(1, sizeof(row));
	*f->row[number] = row;
	return number + 1;
}

const struct unwind_row *frames_row(struct frames *f, uint32_t object, uint64_t where)
{
	struct key key = { where, object };
	size_t number =
	    intern_add(&f->places, (struct text){ (const char *)&key, sizeof(key) });

	if (number == f->known)
		*VEC_ADD(f->row_of, f->known, f->row_of_cap) = find_row(f, object, where);
	return f->row_of[number] ? f->row[f->row_of[number] - 1] : NULL;
}

void frames_close(struct frames *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->files; i++) {
		debug_info_close(f->file[i].info);
		elf_file_close(f->file[i].elf);
	}
	for (size_t i = 0; i < f->rows; i++) {
		unwind_row_free(f->row[i]);
		free(f->row[i]);
	}
	free(f->file);
	free(f->row_of);
	free(f->row);
	intern_free(&f->places);
	intern_free(&f->starts);
	free(f);
}
