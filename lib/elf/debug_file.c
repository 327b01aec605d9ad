/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds debug files as gdb does (gdb manual, "Separate Debug Files").
 */
#include <stdlib.h>

#include "elf/debug_file.h"

static const char debug_root[] = "/usr/lib/debug";

static struct elf_file *find_by_build_id(const struct elf_file *e)
{
	struct text id = elf_file_build_id(e);
	struct buf path = { 0 };
	struct elf_file *debug = NULL;

	if (id.len < 2)
		return NULL;
	buf_printf(&path, "%s/.build-id/%02x/", debug_root, (unsigned char)id.ptr[0]);
	for (size_t i = 1; i < id.len; i++)
		buf_printf(&path, "%02x", (unsigned char)id.ptr[i]);
	buf_str(&path, ".debug");
	debug = elf_file_open(path.ptr);
	buf_free(&path);
	if (debug && !text_equal(elf_file_build_id(debug), id)) {
		elf_file_close(debug);
		return NULL;
	}
	return debug;
}

/* Returns the checksum of .gnu_debuglink: CRC-32 as in zlib. */
static uint32_t crc32_of(struct text bytes)
{
	static uint32_t table[256];
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 1; i < COUNT(table) && !table[COUNT(table) - 1]; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] =
			    table[i] & 1 ? 0xedb88320u ^ table[i] >> 1 : table[i] >> 1;
	}
	for (size_t i = 0; i < bytes.len; i++)
		crc = table[(crc ^ (unsigned char)bytes.ptr[i]) & 255] ^ crc >> 8;
	return ~crc;
}

/*
 * Opens the first of DIR/NAME, DIR/.debug/NAME and /usr/lib/debug/DIR/NAME with the correct
 * checksum.
 */
static struct elf_file *find_by_link(const struct elf_file *e)
{
	const char *path = elf_file_path(e);
	struct text link =
	    path ? elf_file_section(e, ".gnu_debuglink") : (struct text){ 0 };
	struct elf_file *found = NULL;
	const char *name = link.ptr;
	size_t crc_at;
	uint32_t crc;

	if (!link.len || !memchr(name, '\0', link.len))
		return NULL;
	crc_at = (strlen(name) + 1 + 3) & ~(size_t)3;
	if (crc_at + sizeof(crc) > link.len)
		return NULL;
	memcpy(&crc, name + crc_at, sizeof(crc));
	char *dir = realpath(path, NULL);
	if (!dir)
		return NULL;
	*strrchr(dir, '/') = '\0';
	char *candidate[] = { str_format("%s/%s", dir, name),
		str_format("%s/.debug/%s", dir, name),
		str_format("%s%s/%s", debug_root, dir, name) };
	for (size_t i = 0; i < COUNT(candidate); i++) {
		if (!found)
			found = elf_file_open(candidate[i]);
		if (found && crc32_of(elf_file_bytes(found)) != crc) {
			elf_file_close(found);
			found = NULL;
		}
		free(candidate[i]);
	}
	free(dir);
	return found;
}

struct elf_file *debug_file_open(const struct elf_file *e)
{
	struct elf_file *found = find_by_build_id(e);

	return found ? found : find_by_link(e);
}
