/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that appear whole; see temp_file.h.
 *
 * Where the file system can (O_TMPFILE), the file has no name while it is written, so that
 * not even SIGKILL leaves one. It needs a name for a moment, between linkat() and rename(),
 * when it replaces another file.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/leftover.h"
#include "sys/link_target.h"
#include "sys/temp_file_priv.h"
#include "text/units.h"

enum { NEW_FILE_MODE = 0666 };

void temp_file_discard(struct temp_file *t)
{
	int error = errno;

	if (!t)
		return;
	if (t->name)
		unlinkat(t->directory, t->name, 0);
	leftover_drop(t->leftover);
	if (t->fd >= 0)
		close(t->fd);
	if (t->directory >= 0)
		close(t->directory);
	free(t->partial);
	free(t->name);
	free(t->path);
	free(t->dir);
	free(t->target);
	free(t);
	errno = error;
}

/* Returns the descriptor that a path like /dev/stdout or /dev/fd/5 denotes, or -1. */
static int number_of_path(const char *path)
{
	static const char *const directories[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t number;
	struct fault none;

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < COUNT(directories); i++) {
		const char *digits = path + strlen(directories[i]);

		if (strncmp(path, directories[i], strlen(directories[i])) == 0 &&
		    strspn(digits, "0123456789") == strlen(digits) &&
		    units_count(digits, &number, &none) == 0 && number <= INT_MAX)
			return (int)number;
	}
	return -1;
}

/* Opens the directory. A directory that is writable but not readable cannot be
 * synchronized. */
static int open_folder(struct temp_file *t, struct fault *f)
{
	const char *path = temp_file_path(t), *slash = strrchr(path, '/');

	if (!*path) {
		errno = ENOENT;
		return fault_set(f, "the name of an output file is empty");
	}
	t->base = slash ? slash + 1 : path;
	t->dir = !slash          ? str_copy(".")
	         : slash == path ? str_copy("/")
	                         : mem_text(path, (size_t)(slash - path));
	t->directory = open(t->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (t->directory < 0 && errno == EACCES)
		t->directory = open(t->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return t->directory < 0 ? fault_errno(f, "%s", t->target) : 0;
}

/*
 * Resolves a target that is a link. In a directory open to all users, such as /tmp, only
 * links of this user and of the directory's owner are followed.
 */
static int follow_link(struct temp_file *t, struct fault *f)
{
	struct stat link, dir;

	if (lstat(t->target, &link) < 0 || !S_ISLNK(link.st_mode))
		return 0;
	if (open_folder(t, f) < 0 || fstat(t->directory, &dir) < 0)
		return fault_errno(f, "%s", t->target);
	if (dir.st_mode & S_ISVTX && dir.st_mode & S_IWOTH && link.st_uid != geteuid() &&
	    link.st_uid != dir.st_uid) {
		fault_set(f,
		    "%s: a symbolic link of another user in a directory open to all users; "
		    "it is not followed",
		    t->target);
		errno = EACCES;
		return -1;
	}
	close(t->directory);
	t->directory = -1;
	free(t->dir);
	t->dir = NULL;
	t->path = link_target(t->target);
	return t->path ? 0 : fault_errno(f, "%s", t->target);
}

/* Returns 0 if the target may be replaced, or is to be written to directly. */
static int examine_target(struct temp_file *t, struct fault *f)
{
	if (!*t->base) {
		errno = EISDIR;
		return fault_set(
		    f, "%s: the name of a file cannot end in a slash", t->target);
	}
	t->exists = fstatat(t->directory, t->base, &t->old, AT_SYMLINK_NOFOLLOW) == 0;
	if (!t->exists)
		return errno == ENOENT ? 0 : fault_errno(f, "%s", t->target);
	errno = S_ISDIR(t->old.st_mode) ? EISDIR : EEXIST;
	if (t->flags & TEMP_FILE_NEW || S_ISDIR(t->old.st_mode))
		return fault_errno(f, "%s", t->target);
	if (S_ISLNK(t->old.st_mode))
		return 0;
	t->direct = !S_ISREG(t->old.st_mode);
	if (t->direct && !(t->flags & TEMP_FILE_OUTPUT))
		return fault_errno(f, "%s", t->target);
	if (faccessat(t->directory, t->base, W_OK, AT_EACCESS) < 0)
		return fault_errno(f, "%s", t->target);
	return 0;
}

/* Chooses a new name, and lists it before the file is created. */
static void choose_name(struct temp_file *t)
{
	uint64_t random = 0;

	while (getrandom(&random, sizeof(random), 0) < 0 && errno == EINTR)
		;
	leftover_drop(t->leftover);
	free(t->name);
	t->name = str_format(".%.*s.%016" PRIx64, OLD_NAME_KEPT, t->base, random);
	t->leftover = leftover_add(t->directory, t->name);
}

void temp_file_drop_name(struct temp_file *t)
{
	leftover_drop(t->leftover);
	t->leftover = -1;
	free(t->name);
	t->name = NULL;
}

static bool open_unnamed(struct temp_file *t, mode_t mode)
{
	t->fd = openat(t->directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
	if (t->fd < 0)
		return false;
	snprintf(t->self, sizeof(t->self), "/proc/self/fd/%d", t->fd);
	if (access(t->self, F_OK) == 0)
		return true;
	close(t->fd);
	t->fd = -1;
	return false;
}

static int open_named(struct temp_file *t, mode_t mode)
{
	for (int i = 0; i < NAME_ATTEMPTS; i++) {
		choose_name(t);
		t->fd = openat(t->directory, t->name,
		    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (t->fd >= 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	temp_file_drop_name(t);
	return -1;
}

/* Copies the owner, group and permissions of the old file. Only root may change the
 * owner. If the group cannot be set, the group gets no permissions. */
static int keep_rights(struct temp_file *t)
{
	mode_t mode = t->old.st_mode & 0777;

	if (fchown(t->fd, t->old.st_uid, t->old.st_gid) < 0 &&
	    fchown(t->fd, (uid_t)-1, t->old.st_gid) < 0)
		mode &= (mode_t)~070;
	return fchmod(t->fd, mode);
}

static int open_beside(struct temp_file *t, struct fault *f)
{
	bool replaces = t->exists && S_ISREG(t->old.st_mode);
	mode_t mode = replaces ? 0600 : NEW_FILE_MODE;

	if (!open_unnamed(t, mode) && open_named(t, mode) < 0)
		return fault_errno(f, "%s: cannot create a file in %s", t->target, t->dir);
	if (replaces && keep_rights(t) < 0)
		return fault_errno(f, "%s", t->target);
	return 0;
}

static int open_all(struct temp_file *t, struct fault *f)
{
	int number = t->flags & TEMP_FILE_OUTPUT ? number_of_path(t->target) : -1;

	if (number >= 0) {
		t->direct = true;
		t->fd = fcntl(number, F_DUPFD_CLOEXEC, 0);
		return t->fd < 0 ? fault_errno(f, "%s", t->target) : 0;
	}
	if (t->flags & TEMP_FILE_OUTPUT && follow_link(t, f) < 0)
		return -1;
	if (open_folder(t, f) < 0 || examine_target(t, f) < 0)
		return -1;
	if (!t->direct)
		return open_beside(t, f);
	t->fd = open(t->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return t->fd < 0 ? fault_errno(f, "%s", t->target) : 0;
}

struct temp_file *temp_file_open(const char *target, int flags, struct fault *f)
{
	struct temp_file *t = mem_zero(1, sizeof(*t));

	*t = (struct temp_file){ .target = str_copy(target),
		.flags = flags,
		.directory = -1,
		.fd = -1,
		.leftover = -1 };
	if (open_all(t, f) == 0)
		return t;
	temp_file_discard(t);
	return NULL;
}

int temp_file_fd(const struct temp_file *t)
{
	return t->fd;
}

/* Gives an unnamed file its name. */
static int link_as(const struct temp_file *t, const char *name)
{
	return linkat(AT_FDCWD, t->self, t->directory, name, AT_SYMLINK_FOLLOW);
}

static int link_beside(struct temp_file *t)
{
	int status = -1;

	for (int i = 0; i < NAME_ATTEMPTS && status < 0; i++) {
		choose_name(t);
		status = link_as(t, t->name);
		if (status < 0 && errno != EEXIST)
			break;
	}
	if (status < 0)
		temp_file_drop_name(t);
	return status;
}

/* Renames a file unless the new name exists. Not every file system can do this
 * atomically. */
static int rename_new(const struct temp_file *t, const char *name)
{
	if (renameat2(t->directory, t->name, t->directory, name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (linkat(t->directory, t->name, t->directory, name, 0) < 0)
		return -1;
	unlinkat(t->directory, t->name, 0);
	return 0;
}

int temp_file_name_new(const struct temp_file *t, const char *name)
{
	return t->name ? rename_new(t, name) : link_as(t, name);
}

/* Gives the file the target's name. */
static int take_place(struct temp_file *t)
{
	if (!t->name) {
		if (!t->exists && link_as(t, t->base) == 0)
			return 0;
		if (!t->exists && (t->flags & TEMP_FILE_NEW || errno != EEXIST))
			return -1;
		if (link_beside(t) < 0)
			return -1;
	}
	if ((t->flags & TEMP_FILE_NEW
	            ? rename_new(t, t->base)
	            : renameat(t->directory, t->name, t->directory, t->base)) < 0)
		return -1;
	temp_file_drop_name(t);
	return 0;
}

int temp_file_sync_folder(const struct temp_file *t)
{
	return fsync(t->directory) == 0 || errno == EBADF || errno == EINVAL ||
	               errno == EROFS || errno == ENOTSUP
	           ? 0
	           : -1;
}

int temp_file_place(struct temp_file *t, struct fault *f)
{
	return t->direct || (fsync(t->fd) == 0 && take_place(t) == 0)
	           ? 0
		   : fault_errno(f, "%s", t->target);
}

int temp_file_end(struct temp_file *t, struct fault *f)
{
	int status = 0, fd = t->fd;

	t->fd = -1;
	if (close(fd) < 0)
		status = fault_errno(f, "%s", t->target);
	else if (!t->direct && temp_file_sync_folder(t) < 0)
		status = fault_errno(f, "%s: the directory %s", t->target, t->dir);
	temp_file_discard(t);
	return status;
}

int temp_file_commit(struct temp_file *t, struct fault *f)
{
	if (temp_file_place(t, f) == 0)
		return temp_file_end(t, f);
	temp_file_discard(t);
	return -1;
}

int temp_file_spares(const char *target, char *const *input, size_t count, struct fault *f)
{
	struct stat there, read;

	if (strcmp(target, "-") == 0)
		return fault_set(f, "'-' is not the name of an output file");
	if (stat(target, &there) < 0 || !S_ISREG(there.st_mode))
		return 0;
	for (size_t i = 0; i < count; i++)
		if (stat(input[i], &read) == 0 && read.st_dev == there.st_dev &&
		    read.st_ino == there.st_ino)
			return fault_set(
			    f, "%s is an input; name another file for the output", target);
	return 0;
}

int temp_file_write(const char *target, int flags, struct text content, struct fault *f)
{
	struct temp_file *t = temp_file_open(target, flags, f);

	if (!t)
		return -1;
	if (file_write_all(t->fd, content) == 0)
		return temp_file_commit(t, f);
	fault_errno(f, "%s", target);
	temp_file_discard(t);
	return -1;
}
