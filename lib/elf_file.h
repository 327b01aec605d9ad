/*
 * Executables and libraries as files: segments, symbols, and the separate file that has
 * what was stripped. The one module that includes libelf.
 */
#ifndef ELF_FILE_H
#define ELF_FILE_H

#include "symbol.h"

struct Elf; /* libelf's handle, for the module that reads DWARF */

struct elf_file;
/* NULL when it is no ELF file or cannot be read, which errno does not tell. */
struct elf_file *elf_file_open(const char *path);
/* The same of an image in memory, whole and for ever, as the kernel maps its vdso. */
struct elf_file *elf_file_image(void *image);
/*
 * The file that has its debug information: by build-id below /usr/lib/debug/.build-id, or
 * by the name and the checksum in .gnu_debuglink. NULL when there is none. Opened once,
 * freed with the file.
 */
struct elf_file *elf_file_debug(struct elf_file *e);
/* Add the functions of the file, of its debug file, and those that its PLT stands for. */
void elf_file_symbols(struct elf_file *e, struct symbols *out);
/* The address, as the linker gave it, of an offset in the file. False: in no segment. */
bool elf_file_address(const struct elf_file *e, uint64_t offset, uint64_t *address);
/* Whether a program is linked by the dynamic linker when it starts. */
bool elf_file_is_dynamic(const struct elf_file *e);
/* When it was written, or came to its place: CLOCK_REALTIME; 0: not known. */
int64_t elf_file_changed_ns(const struct elf_file *e);
struct Elf *elf_file_handle(const struct elf_file *e);
void elf_file_close(struct elf_file *e);

#endif
