/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spool directories; see spool_folder_priv.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/spool_folder_priv.h"

static const char own_infix[] = "-spool.", old_infix[] = "-spool-";

enum {
	OTHERS_MAY_WRITE = S_IWGRP | S_IWOTH,
	OPEN_FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC
};

/* Splits a path into its directory, allocated and with the final slash, and its name. */
static char *split_path(const char *path, const char **base)
{
	const char *slash = strrchr(path, '/');

	*base = slash ? slash + 1 : path;
	return mem_text(path, (size_t)(*base - path));
}

static int open_parent(const char *path)
{
	const char *base;
	char *parent = split_path(path, &base);
	int fd = open(*parent ? parent : ".", OPEN_FOLDER);

	free(parent);
	return fd;
}

/* Returns why other users may control a directory, or NULL. */
static const char *find_folder_objection(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return strerror(errno);
	if (st.st_uid != geteuid())
		return "belongs to another user";
	return st.st_mode & OTHERS_MAY_WRITE ? "can be written by others (chmod go-w)"
	                                     : NULL;
}

/* Creates a directory, whose name survives a power failure. */
static int make_folder(const char *path)
{
	int parent;

	if (mkdir(path, 0700) < 0)
		return errno == EEXIST ? 0 : -1;
	parent = open_parent(path);
	if (parent >= 0) {
		fsync(parent);
		close(parent);
	}
	return 0;
}

int spool_folder_open(struct spool_folder *s, const char *place, bool make, struct fault *f)
{
	char *path = str_format("%s%s%lu", place, own_infix, (unsigned long)geteuid());
	const char *objection = NULL;
	int error = 0;

	*s = (struct spool_folder){ -1, true, str_format("%s/", path), str_copy("") };
	if (!make || make_folder(path) == 0)
		s->fd = open(path, OPEN_FOLDER | O_NOFOLLOW);
	if (s->fd >= 0)
		objection = find_folder_objection(s->fd);
	else if (make || errno != ENOENT)
		error = errno;
	if (error == ELOOP || error == ENOTDIR)
		objection = "is not a directory; remove it";
	else if (error)
		objection = strerror(error);
	if (objection) {
		fault_set(f, "%s: %s", path, objection);
		spool_folder_close(s);
	}
	free(path);
	errno = error;
	return objection ? -1 : 0;
}

void spool_folder_open_old(struct spool_folder *s, const char *place)
{
	const char *base;
	char *directory = split_path(place, &base);

	*s = (struct spool_folder){ open_parent(place), false, directory,
		str_format("%s%s", base, old_infix) };
}

void spool_folder_close(struct spool_folder *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->path);
	free(s->prefix);
	*s = (struct spool_folder){ .fd = -1 };
}

void spool_folder_remove(struct spool_folder *s)
{
	if (s->fd >= 0 && s->own)
		rmdir(s->path); /* fails unless the directory is empty */
	spool_folder_close(s);
}

static bool ends_in(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len >= n && strcmp(name + len - n, end) == 0;
}

/* Lists the names in a directory that begin with start and end in end. */
static size_t list_names(int fd, const char *start, const char *end, char ***names)
{
	struct dirent **entry = NULL;
	int found = fd < 0 ? 0 : scandirat(fd, ".", &entry, NULL, alphasort);
	size_t count = 0, cap = 0;

	*names = NULL;
	for (int i = 0; i < found; i++) {
		const char *name = entry[i]->d_name;

		if (strncmp(name, start, strlen(start)) == 0 && ends_in(name, end))
			*VEC_ADD(*names, count, cap) = str_copy(name);
		free(entry[i]);
	}
	free(entry);
	return count;
}

size_t spool_folder_list(const struct spool_folder *s, const char *end, char ***names)
{
	return list_names(s->fd, s->prefix, end, names);
}

void spool_names_free(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

char *spool_folder_path(const struct spool_folder *s, const char *name)
{
	return str_format("%s%s", s->path, name);
}

const char *spool_folder_objection(const struct spool_folder *s, const char *name, int fd)
{
	struct stat st;

	if ((fd < 0 ? fstatat(s->fd, name, &st, AT_SYMLINK_NOFOLLOW) : fstat(fd, &st)) < 0)
		return strerror(errno);
	if (S_ISLNK(st.st_mode))
		return "a symbolic link";
	if (S_ISFIFO(st.st_mode))
		return "a named pipe";
	if (S_ISDIR(st.st_mode))
		return "a directory";
	if (!S_ISREG(st.st_mode))
		return "a device or socket";
	if (st.st_uid != geteuid())
		return "a file of another user";
	if (st.st_nlink > 1)
		return "a file with another hard link";
	return !s->own && st.st_mode & OTHERS_MAY_WRITE ? "a file that others may write to"
	                                                : NULL;
}

size_t spool_folder_others(const char *place, char ***paths)
{
	const char *base;
	char *directory = split_path(place, &base),
	     *start = str_format("%s%s", base, own_infix),
	     *mine = str_format("%s%lu", start, (unsigned long)geteuid());
	int fd = open_parent(place);
	char **names;
	size_t count = list_names(fd, start, "", &names), kept = 0, cap = 0;
	struct stat st;

	*paths = NULL;
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], mine) != 0 &&
		    fstatat(fd, names[i], &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISDIR(st.st_mode))
			*VEC_ADD(*paths, kept, cap) =
			    str_format("%s%s", directory, names[i]);
	spool_names_free(names, count);
	if (fd >= 0)
		close(fd);
	free(mine);
	free(start);
	free(directory);
	return kept;
}
