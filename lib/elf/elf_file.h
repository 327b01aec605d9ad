/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads executables and libraries as files: headers, sections, symbols and the separate
 * debug file. Only this module includes libelf: elf_file.c opens and closes files,
 * elf_read.c reads them.
 */
#ifndef ELF_ELF_FILE_H
#define ELF_ELF_FILE_H

#include "elf/symbol.h"

struct Elf; /* handle of libelf, for the modules that read DWARF */

struct elf_file;

/* The inode of a file, and when it was last written, and written, renamed or linked, in ns
 * of CLOCK_REALTIME. */
struct elf_file_times {
	uint64_t inode;
	int64_t written_ns, changed_ns;
};

/*
 * Opens an ELF file. Returns NULL if the file is not an ELF file or cannot be read; errno
 * does not distinguish the two.
 */
struct elf_file *elf_file_open(const char *path);
/*
 * Opens an ELF file to read only a few parts of it. The file is not mapped, so that the
 * kernel reads only these parts if the file is not in memory. Fails as elf_file_open().
 */
struct elf_file *elf_file_peek(const char *path);
/* Opens a complete image in memory that is never unmapped, such as the vdso of the kernel.
 */
struct elf_file *elf_file_image(void *image);
/* The fields of the ELF header. */
struct elf_head {
	unsigned machine; /* EM_X86_64 ... of elf.h */
	bool is_64, is_big_endian;
	enum { ELF_OTHER, ELF_RELOCATABLE, ELF_PROGRAM, ELF_SHARED } kind;
};
/* Reads the header. Returns false if it cannot be read. */
bool elf_file_head(const struct elf_file *e, struct elf_head *out);
/* Returns the path with which the file was opened, or NULL for an image. */
const char *elf_file_path(const struct elf_file *e);

/* Returns the bytes of the file. Valid until elf_file_close; empty if unavailable. */
struct text elf_file_bytes(const struct elf_file *e);
/* Returns the bytes of a section. Valid until elf_file_close; empty if there is none. */
struct text elf_file_section(const struct elf_file *e, const char *name);
/* Returns the bytes of the build ID. Valid until elf_file_close; empty if there is none. */
struct text elf_file_build_id(const struct elf_file *e);

/* An entry of the dynamic section. text is the string at value, or NULL. */
struct elf_dynamic {
	int64_t tag; /* DT_NEEDED ... of elf.h */
	uint64_t value;
	const char *text;
};
/* Calls take for each entry of the dynamic section. */
void elf_file_dynamic(
    const struct elf_file *e, void (*take)(void *, const struct elf_dynamic *), void *ctx);

/* A symbol that an object defines for others, or needs from others. */
struct elf_symbol {
	const char *name;
	uint64_t address;
	enum elf_symbol_kind {
		ELF_SYMBOL_UNDEFINED,
		ELF_SYMBOL_FUNCTION,
		ELF_SYMBOL_DATA,
		ELF_SYMBOL_SUPERSEDED, /* another version has the same name */
	} kind;
	bool weak;
	bool indirect; /* the address is that of a resolver (IFUNC) */
};
/*
 * Calls take for each dynamic symbol, or for each symbol of a relocatable file. Returns
 * false if some symbols cannot be read because the file is truncated or damaged.
 */
bool elf_file_exports(
    const struct elf_file *e, void (*take)(void *, const struct elf_symbol *), void *ctx);

/*
 * Returns the separate debug file (see debug_file.h), or NULL. It is opened once and closed
 * with the file.
 */
struct elf_file *elf_file_debug(struct elf_file *e);
/* Adds the functions of the file and of its debug file, and the entries of its PLT. */
void elf_file_symbols(struct elf_file *e, struct symbols *out);
/* Converts an offset in the file to an address. Returns false if no segment contains it. */
bool elf_file_address(const struct elf_file *e, uint64_t offset, uint64_t *address);
/* Returns whether the dynamic linker starts the program. */
bool elf_file_is_dynamic(const struct elf_file *e);
/* Returns the inode and the times of the file; zeros if they are unknown. */
struct elf_file_times elf_file_times(const struct elf_file *e);
/* Returns the handle of libelf. */
struct Elf *elf_file_handle(const struct elf_file *e);
void elf_file_close(struct elf_file *e);

#endif
