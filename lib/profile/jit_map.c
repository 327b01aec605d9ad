/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads maps of just-in-time compilers; see jit_map.h. The owner and the mode are those of
 * the open file, which nobody can replace.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/jit_map.h"

static int check_map(const struct stat *st, uid_t owner, struct fault *f)
{
	if (!S_ISREG(st->st_mode))
		return fault_set(f, "it is not a regular file");
	if (st->st_uid != 0 && st->st_uid != owner)
		return fault_set(f, "it belongs to user %u, not to user %u or root",
		    (unsigned)st->st_uid, (unsigned)owner);
	if (st->st_mode & S_IWOTH)
		return fault_set(f, "it is writable by everybody");
	return 0;
}

/* Opens a map without following a link and without waiting for the writer of a pipe. */
static int read_map(const char *path, uid_t owner, struct buf *out, struct fault *f)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), status = -1;
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 && errno == ELOOP)
		return fault_set(f, "it is a symbolic link");
	if (fd < 0)
		return fault_errno(f, "it cannot be opened");
	if (fstat(fd, &st) == 0 && check_map(&st, owner, f) == 0)
		status = file_read_fd(fd, path, out, f);
	close(fd);
	return status;
}

int jit_map_read(uint32_t pid, uid_t owner, struct buf *out, struct fault *f)
{
	char path[40];
	struct fault why = { "" };

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
	if (read_map(path, owner, out, &why) == 0)
		return 0;
	return fault_set(f, "%s is not used for symbol names: %s", path, why.text);
}
