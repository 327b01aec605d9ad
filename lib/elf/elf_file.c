/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens and closes ELF files; see elf_file.h.
 */
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libelf.h>

#include "base/clock.h"
#include "elf/debug_file.h"

struct elf_file {
	char *path; /* NULL: an image in memory */
	Elf *elf;
	int fd;
	struct elf_file *debug;
	bool debug_sought;
};

static struct elf_file *open_elf(Elf *elf, int fd, const char *path)
{
	struct elf_file *e;

	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	e = mem_zero(1, sizeof(*e));
	*e =
	    (struct elf_file){ .elf = elf, .fd = fd, .path = path ? str_copy(path) : NULL };
	return e;
}

static int open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	elf_version(EV_CURRENT);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

struct elf_file *elf_file_open(const char *path)
{
	int fd = open_regular(path);

	return fd < 0 ? NULL : open_elf(elf_begin(fd, ELF_C_READ_MMAP, NULL), fd, path);
}

struct elf_file *elf_file_peek(const char *path)
{
	int fd = open_regular(path);

	if (fd < 0)
		return NULL;
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	return open_elf(elf_begin(fd, ELF_C_READ, NULL), fd, path);
}

struct elf_file *elf_file_image(void *image)
{
	const ElfW(Ehdr) *head = image;

	if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
		return NULL;
	elf_version(EV_CURRENT);
	/* The table of sections is at the end of an image. */
	return open_elf(
	    elf_memory(image, head->e_shoff + (size_t)head->e_shnum * head->e_shentsize),
	    -1, NULL);
}

struct text elf_file_bytes(const struct elf_file *e)
{
	size_t size;
	const char *bytes = elf_rawfile(e->elf, &size);

	return bytes ? (struct text){ bytes, size } : (struct text){ 0 };
}

const char *elf_file_path(const struct elf_file *e)
{
	return e->path;
}

struct elf_file *elf_file_debug(struct elf_file *e)
{
	if (!e->debug_sought) {
		e->debug_sought = true;
		e->debug = debug_file_open(e);
	}
	return e->debug;
}

struct elf_file_times elf_file_times(const struct elf_file *e)
{
	struct stat st;

	if (e->fd < 0 || fstat(e->fd, &st) < 0)
		return (struct elf_file_times){ 0 };
	return (struct elf_file_times){ st.st_ino, clock_timespec_ns(st.st_mtim),
		clock_timespec_ns(st.st_ctim) };
}

struct Elf *elf_file_handle(const struct elf_file *e)
{
	return e->elf;
}

void elf_file_close(struct elf_file *e)
{
	if (!e)
		return;
	elf_file_close(e->debug);
	elf_end(e->elf);
	if (e->fd >= 0)
		close(e->fd);
	free(e->path);
	free(e);
}
