/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The key of the anonymizer; see anonymize.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/paths.h"
#include "record/anonymize_priv.h"
#include "sys/parent_dirs.h"
#include "sys/temp_file.h"

enum { KEY_BYTES = 32, KEY_LEAST = 16 };

static char *default_path(struct fault *f)
{
	char *path = user_path("XDG_DATA_HOME", ".local/share", "anonymize.key");

	if (!path)
		fault_set(f,
		    "no key for --anonymize: neither $XDG_DATA_HOME nor $HOME is an "
		    "absolute path; use --anonymize-key");
	return path;
}

/* Creates a key that only the user can read. Another program may create it at the same
 * time. */
static int make_key(const char *path, struct fault *f)
{
	unsigned char key[KEY_BYTES];
	struct temp_file *file;

	if (getrandom(key, sizeof(key), 0) != sizeof(key))
		return fault_errno(f, "random bytes for the key of --anonymize");
	if (parent_dirs_make(path, 0777, f) < 0)
		return -1;
	file = temp_file_open(path, TEMP_FILE_NEW, f);
	if (!file)
		return errno == EEXIST ? 0 : -1;
	if (fchmod(temp_file_fd(file), 0600) < 0 ||
	    file_write_all(
	        temp_file_fd(file), (struct text){ (const char *)key, sizeof(key) }) < 0) {
		fault_errno(f, "%s", path);
		temp_file_discard(file);
		return -1;
	}
	return temp_file_commit(file, f) == 0 || errno == EEXIST ? 0 : -1;
}

int anonymize_key_read(const char *path, struct buf *key, struct fault *f)
{
	char *own = path ? NULL : default_path(f);
	int status = path || own ? 0 : -1;

	if (own && access(own, F_OK) < 0)
		status = make_key(own, f);
	if (status == 0)
		status = file_read(own ? own : path, key, f);
	if (status == 0 && key->len < KEY_LEAST)
		status = fault_set(f,
		    "%s: a key needs at least %d bytes; make one with head -c %d "
		    "/dev/urandom",
		    own ? own : path, KEY_LEAST, KEY_BYTES);
	free(own);
	return status;
}
