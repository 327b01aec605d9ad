/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Source lines of benchmarks; see benchmark_lines.h.
 */
#include "discover/benchmark_lines.h"
#include "elf/debug_info.h"

static bool lacks_line(const struct benchmark *item)
{
	return item->is_benchmark && !item->line && item->address;
}

static void find_line(struct benchmarks *b, struct benchmark *item, struct debug_info *d)
{
	const char *file;
	int line;

	if (!debug_info_line(d, item->address, &file, &line))
		return;
	item->source = arena_text(&b->memory, text_of(file));
	item->line = (uint64_t)line;
}

/* Opens the DWARF only if a benchmark lacks a line, because it may be larger than the rest.
 */
void benchmarks_find_lines(struct benchmarks *b, const char *path)
{
	struct debug_info *d = NULL;
	struct elf_file *e = NULL;
	struct elf_head head;
	size_t i = 0;

	while (i < b->count && !lacks_line(&b->item[i]))
		i++;
	if (i == b->count || !(e = elf_file_open(path)))
		return;
	/* Before linking, every section begins at address 0. */
	if (elf_file_head(e, &head) && head.kind != ELF_RELOCATABLE)
		d = debug_info_open(e);
	for (; d && i < b->count; i++)
		if (lacks_line(&b->item[i]))
			find_line(b, &b->item[i], d);
	debug_info_close(d);
	elf_file_close(e);
}
