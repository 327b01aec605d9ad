/*
 * Names of database files; see db_file.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "db_file.h"

bool db_file_exists(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && st.st_size > 0;
}

int db_file_check(const char *name, bool made, struct fault *f)
{
	struct stat st;

	if (!*name)
		return fault_set(f, "the name of the database is empty");
	if (stat(name, &st) < 0)
		return made ? 0 : fault_errno(f, "%s", name);
	if (S_ISREG(st.st_mode))
		return 0;
	return fault_set(f, "%s: a %s, not a database", name,
	    S_ISDIR(st.st_mode) ? "folder" : "device or pipe");
}

bool db_file_has_wal(const char *path)
{
	char *wal = str_format("%s-wal", path);
	bool has = db_file_exists(wal);

	free(wal);
	return has;
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
