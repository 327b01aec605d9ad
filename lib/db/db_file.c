/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and checks of database files; see db_file.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "db/db_file.h"
#include "sys/kernel_files.h"

bool db_file_exists(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && st.st_size > 0;
}

/* Returns the directory of a file, allocated. */
static char *folder_of(const char *name)
{
	char *directory = str_copy(name), *slash = strrchr(directory, '/');

	if (!slash) {
		free(directory);
		return str_copy(".");
	}
	slash[slash == directory] = '\0';
	return directory;
}

/*
 * Checks that a file can be created. Without this check, SQLite would try more than once
 * and report that there is no file to read.
 */
static int check_folder(const char *name, struct fault *f)
{
	char *directory = folder_of(name);
	int status = 0;

	if (access(directory, W_OK | X_OK) < 0 && errno != ENOENT)
		status = fault_errno(f, "%s: cannot be created", name);
	free(directory);
	return status;
}

int db_file_check(const char *name, bool made, struct fault *f)
{
	struct stat st;

	if (!*name)
		return fault_set(f, "the name of the database is empty");
	if (stat(name, &st) < 0) {
		const bool never =
		    errno == ELOOP || errno == ENOTDIR || errno == ENAMETOOLONG;

		if (made && errno == ENOENT)
			return check_folder(name, f);
		if (made && !never) /* there may be a file that can be opened later */
			return 0;
		if (errno == ENOENT)
			return fault_set(f,
			    "%s: No such file or directory (bench-store add creates a "
			    "database)",
			    name);
		return fault_errno(f, "%s", name);
	}
	if (S_ISREG(st.st_mode))
		return made || access(name, R_OK) == 0 ? 0 : fault_errno(f, "%s", name);
	return fault_set(f, "%s: a %s, not a database", name,
	    S_ISDIR(st.st_mode) ? "directory" : "device or pipe");
}

char *db_file_path(const char *name)
{
	return str_format("%s%s", *name == '/' ? "" : "./", name);
}

char *db_file_uri(const char *path)
{
	struct buf b = { 0 };

	buf_str(&b, "file:");
	for (; *path; path++)
		if (strchr("?#%", *path))
			buf_printf(&b, "%%%02x", (unsigned char)*path);
		else
			buf_byte(&b, *path);
	buf_str(&b, "?immutable=1");
	return b.ptr;
}

/*
 * Returns whether a file begins like an SQLite file and has our application id at byte
 * 68.
 */
static bool is_ours(const char *path)
{
	char head[72] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, head, sizeof(head));

	if (fd >= 0)
		close(fd);
	return got == (ssize_t)sizeof(head) && memcmp(head, "SQLite format 3", 16) == 0 &&
	       memcmp(head + 68, "bnch", 4) == 0;
}

/* Refuses files next to the database that SQLite would treat as a part of it. */
static int check_parts(const char *path, struct fault *f)
{
	static const char *const parts[] = { "-wal", "-journal" };

	for (size_t i = 0; i < COUNT(parts); i++) {
		char *name = str_format("%s%s", path, parts[i]);
		struct stat st;
		bool counts =
		    lstat(name, &st) == 0 && (st.st_size > 0 || !S_ISREG(st.st_mode));

		if (counts)
			fault_set(f,
			    "%s: exists and would become a part of the copy; if no program "
			    "uses %s, remove it",
			    name, path);
		free(name);
		if (counts)
			return -1;
	}
	return 0;
}

/* Refuses a name that SQLite uses for a part of a database. */
static int check_ending(const char *path, struct fault *f)
{
	static const char *const parts[] = { "-wal", "-journal", "-shm" };
	size_t len = strlen(path);

	for (size_t i = 0; i < COUNT(parts); i++)
		if (len >= strlen(parts[i]) &&
		    strcmp(path + len - strlen(parts[i]), parts[i]) == 0)
			return fault_set(f,
			    "%s: SQLite uses such names for its own files and removes "
			    "them; choose a name that does not end in %s",
			    path, parts[i]);
	return 0;
}

int db_file_may_replace(const char *name, const char *path, struct fault *f)
{
	struct stat there, ours;

	if (check_ending(path, f) < 0)
		return -1;
	if (stat(path, &there) < 0)
		return errno == ENOENT ? check_parts(path, f) : fault_errno(f, "%s", path);
	if (stat(name, &ours) == 0 && there.st_dev == ours.st_dev &&
	    there.st_ino == ours.st_ino)
		return fault_set(f, "%s: is the database itself", path);
	if (!S_ISREG(there.st_mode) || (there.st_size > 0 && !is_ours(path)))
		return fault_set(f,
		    "%s: exists and is not a database of bench-store; left unchanged",
		    path);
	return check_parts(path, f);
}

/* Finds the type of the file system of a device in text like /proc/self/mountinfo. */
static bool kind_of(struct text mounts, dev_t device, char *kind, size_t size)
{
	while (mounts.len) {
		struct text line = text_next_line(&mounts);
		char *copy = mem_text(line.ptr, line.len), *dash = strstr(copy, " - ");
		unsigned major_number, minor_number;
		bool found =
		    dash &&
		    sscanf(copy, "%*d %*d %u:%u", &major_number, &minor_number) == 2 &&
		    makedev(major_number, minor_number) == device;

		if (found)
			snprintf(kind, size, "%.*s", (int)strcspn(dash + 3, " "), dash + 3);
		free(copy);
		if (found)
			return true;
	}
	return false;
}

bool db_file_network(const char *name, char *kind, size_t size)
{
	static const char *const networks[] = { "nfs", "nfs4", "cifs", "smb3", "smbfs",
		"9p", "afs", "ceph", "lustre", "glusterfs", "fuse.glusterfs", "fuse.sshfs",
		"beegfs", "gpfs", "pvfs2", "virtiofs" };
	struct buf mounts = { 0 };
	struct kernel_files files;
	struct stat st;
	struct fault f;
	char *directory = folder_of(name);
	const bool exists = stat(name, &st) == 0 || stat(directory, &st) == 0;
	bool found = false;

	free(directory);
	if (!exists || kernel_files_open(&files, kernel_files_root(), &f) < 0)
		return false;
	if (kernel_file_read_up_to(&files, "proc/self/mountinfo", 1 << 20, &mounts) &&
	    kind_of(text_in(&mounts), st.st_dev, kind, size))
		for (size_t i = 0; i < COUNT(networks) && !found; i++)
			found = strcmp(kind, networks[i]) == 0;
	buf_free(&mounts);
	kernel_files_close(&files);
	return found;
}
