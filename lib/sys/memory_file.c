/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files in memory; see memory_file.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/memory_file.h"

static int failed(struct fault *f)
{
	return fault_errno(f, "a file in memory");
}

int memory_file_create(struct memory_file *m, struct fault *f)
{
	*m = MEMORY_FILE_NONE;
	m->fd = memfd_create("input", MFD_CLOEXEC);
	return m->fd < 0 ? failed(f) : 0;
}

int memory_file_add(struct memory_file *m, struct text t, struct fault *f)
{
	return file_write_all(m->fd, t) < 0 ? failed(f) : 0;
}

/* Appends the rest of an open file, if it has at most FILE_READ_MAX bytes. */
static int add_rest(struct memory_file *m, int fd, const char *name, struct fault *f)
{
	enum { PIECE = 1 << 17 };
	char *piece = mem_resize(NULL, PIECE, 1);
	size_t bytes = 0;
	int status = 0;
	ssize_t got;

	do {
		got = read(fd, piece, PIECE);
		bytes += got > 0 ? (size_t)got : 0;
		if (bytes > FILE_READ_MAX)
			status = fault_set(f, "%s is larger than the limit of %zu bytes",
			    name, FILE_READ_MAX);
		else if (got > 0)
			status = memory_file_add(m, (struct text){ piece, (size_t)got }, f);
		else if (got < 0 && errno != EINTR)
			status = fault_errno(f, "%s", name);
	} while (got && status == 0);
	free(piece);
	return status;
}

int memory_file_add_file(
    struct memory_file *m, const char *path, const char **name, struct fault *f)
{
	const int fd = input_open(path, name, f);

	if (fd < 0)
		return -1;
	const int status = add_rest(m, fd, *name, f);

	input_close(fd);
	return status;
}

int memory_file_map(struct memory_file *m, struct fault *f)
{
	struct stat st;
	void *at;

	m->text = TEXT("");
	if (fstat(m->fd, &st) < 0)
		return failed(f);
	if (!st.st_size)
		return 0;
	at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, m->fd, 0);
	if (at == MAP_FAILED)
		return failed(f);
	m->text = (struct text){ at, (size_t)st.st_size };
	return 0;
}

void memory_file_keep_text(struct memory_file *m)
{
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
}

void memory_file_close(struct memory_file *m)
{
	memory_file_keep_text(m);
	if (m->text.len)
		munmap((void *)(uintptr_t)m->text.ptr, m->text.len);
	*m = MEMORY_FILE_NONE;
}
