/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names in a directory; see dir_names.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/dir_names.h"

static int compare_versions(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

size_t dir_names_at(int dir, const char *path, char ***names)
{
	int fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	size_t count = 0, cap = 0;

	int error;

	*names = NULL;
	if (!stream) {
		error = errno;
		if (fd >= 0)
			close(fd);
		errno = error;
		return 0;
	}
	*names = mem_zero(1, sizeof(**names)); /* not NULL, even for an empty directory */
	while (errno = 0, (entry = readdir(stream)))
		if (entry->d_name[0] != '.')
			*VEC_ADD(*names, count, cap) = str_copy(entry->d_name);
	error = errno;
	closedir(stream);
	if (error) {
		dir_names_free(*names, count);
		*names = NULL;
		errno = error;
		return 0;
	}
	qsort(*names, count, sizeof(**names), compare_versions);
	return count;
}

size_t dir_names(const char *path, char ***names)
{
	return dir_names_at(AT_FDCWD, path, names);
}

void dir_names_free(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}
