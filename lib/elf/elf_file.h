/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Executables and libraries as files: segments, symbols, and the separate file that has
 * what was stripped. The one module that includes libelf: elf_file.c opens and closes,
 * elf_read.c reads.
 */
#ifndef ELF_ELF_FILE_H
#define ELF_ELF_FILE_H

#include "elf/symbol.h"

struct Elf; /* libelf's handle, for the module that reads DWARF */

struct elf_file;
/* Returns NULL when it is no ELF file or cannot be read, which errno does not tell. */
struct elf_file *elf_file_open(const char *path);
/*
 * The same for a look at a few parts of a file that may not be in memory: what is asked for
 * is read, and nothing around it, which mapping would do.
 */
struct elf_file *elf_file_peek(const char *path);
/* The same of an image in memory, whole and for ever, as the kernel maps its vdso. */
struct elf_file *elf_file_image(void *image);
/* What the header says. */
struct elf_head {
	unsigned machine; /* EM_X86_64 ... of elf.h */
	bool is_64, is_big_endian;
	enum { ELF_OTHER, ELF_RELOCATABLE, ELF_PROGRAM, ELF_SHARED } kind;
};
bool elf_file_head(const struct elf_file *e, struct elf_head *out);
/* The path it was opened by, or NULL. */
const char *elf_file_path(const struct elf_file *e);

/* The following live as long as the file, and are empty when it lacks them. */
struct text elf_file_bytes(const struct elf_file *e);
struct text elf_file_section(const struct elf_file *e, const char *name);
struct text elf_file_build_id(const struct elf_file *e); /* its bytes */

/* An entry of the dynamic section; text: the string at value, or NULL. */
struct elf_dynamic {
	int64_t tag; /* DT_NEEDED ... of elf.h */
	uint64_t value;
	const char *text;
};
void elf_file_dynamic(
    const struct elf_file *e, void (*take)(void *, const struct elf_dynamic *), void *ctx);

/* A symbol that others can be bound to, or that is to be bound to others. */
struct elf_symbol {
	const char *name;
	uint64_t address;
	enum elf_symbol_kind {
		ELF_SYMBOL_UNDEFINED,
		ELF_SYMBOL_FUNCTION,
		ELF_SYMBOL_DATA,
		ELF_SYMBOL_SUPERSEDED, /* by another version of the same name */
	} kind;
	bool weak;
	bool indirect; /* the address is that of what chooses the function */
};
/*
 * Of the dynamic symbols; of a relocatable file, of all symbols. Returns false when they
 * cannot be read, at least not all, since the file is cut short or damaged.
 */
bool elf_file_exports(
    const struct elf_file *e, void (*take)(void *, const struct elf_symbol *), void *ctx);

/*
 * The file that has its debug information (see debug_file.h), or NULL. Opened once, freed
 * with the file.
 */
struct elf_file *elf_file_debug(struct elf_file *e);
/* Adds the functions of the file, of its debug file, and those that its PLT stands for. */
void elf_file_symbols(struct elf_file *e, struct symbols *out);
/* Finds the address that the linker gave an offset in the file. Returns false when it is in
 * no segment. */
bool elf_file_address(const struct elf_file *e, uint64_t offset, uint64_t *address);
/* Returns whether a program is linked by the dynamic linker when it starts. */
bool elf_file_is_dynamic(const struct elf_file *e);
/* When it was written, or came to its place: CLOCK_REALTIME; 0: not known. */
int64_t elf_file_changed_ns(const struct elf_file *e);
struct Elf *elf_file_handle(const struct elf_file *e);
void elf_file_close(struct elf_file *e);

#endif
