/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that waits is a complete database, so that making, reading and merging one is what
 * the store does anyway, and a power cut at any point leaves one that is whole or has not
 * yet got its name. Who takes a file in holds a lock on it, by flock(2), which does not
 * meet SQLite's own; when a process is killed between adding its rows and removing it, its
 * rows are known the next time.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "db/db_file.h"
#include "record/provenance.h"
#include "store/store_merge.h"
#include "store/store_priv.h"
#include "store/store_spool.h"

enum { LOCK_WAIT_NS = 1000000000, ABANDONED_S = 24 * 3600 };
static const char infix[] = "-spool-", suffix[] = ".db", refused_suffix[] = ".refused",
                  part_suffix[] = ".part";

static int fill_spool(const char *path, struct ingest *in, struct fault *f)
{
	struct store *s = store_open(path, STORE_CREATE, 0, f);
	struct store_added added;
	int status = s ? store_add(s, in, &added, f) : -1;

	store_close(s);
	if (status == 0 && db_file_has_wal(path))
		status = fault_set(f, "%s: could not be closed", path);
	return status;
}

static void remove_all(const char *path)
{
	static const char *const parts[] = { "", "-wal", "-shm" };

	for (size_t i = 0; i < COUNT(parts); i++) {
		char *name = str_format("%s%s", path, parts[i]);

		unlink(name);
		free(name);
	}
}

/* Writes the rows to a new file, *path, allocated. 0 or -1. */
static int spool_rows(struct store *s, struct ingest *in, char **path, struct fault *f)
{
	char id[PROVENANCE_RUN_MAX], *place = db_spool(s->db), *part;
	int status;

	*path = NULL;
	if (!place)
		return fault_set(f, "there is neither $XDG_STATE_HOME nor $HOME");
	provenance_run(id);
	part = str_format("%s%s%s%s", place, infix, id, part_suffix);
	*path = str_format("%s%s%s%s", place, infix, id, suffix);
	free(place);
	status = store_make_folder(part, f);
	if (status == 0)
		status = fill_spool(part, in, f);
	if (status == 0)
		status = db_file_move(part, *path, f);
	if (status < 0)
		remove_all(part);
	free(part);
	if (status < 0) {
		free(*path);
		*path = NULL;
	}
	return status;
}

int store_spool_locked(
    struct store *s, struct ingest *in, struct buf *report, struct fault *f)
{
	struct fault why = *f, no_place;
	char *path;

	if (!store_locked(s))
		return -1;
	if (spool_rows(s, in, &path, &no_place) < 0)
		return fault_set(f, "%.600s; nor can the rows be kept for later: %.300s",
		    why.text, no_place.text);
	buf_printf(report, "%.800s; all is kept in %s, which the next add takes in\n",
	    why.text, path);
	free(path);
	return 0;
}

static bool ends_in(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len >= n && strcmp(name + len - n, end) == 0;
}

/* Paths beside the database that begin as its spool does and end so; sorted by time. */
static size_t list_spool(const struct store *s, const char *end, char ***paths)
{
	char *place = db_spool(s->db);
	const char *slash = place ? strrchr(place, '/') : NULL,
	           *base = slash ? slash + 1 : place;

	*paths = NULL;
	if (!place)
		return 0;
	char *folder =
	    slash ? mem_text(place, (size_t)(slash - place) + 1) : str_copy("./");
	char *start = str_format("%s%s", base, infix);
	struct dirent **entry = NULL;
	int found = scandir(folder, &entry, NULL, alphasort);
	size_t count = 0, cap = 0;

	for (int i = 0; i < found; i++) {
		const char *name = entry[i]->d_name;

		if (strncmp(name, start, strlen(start)) == 0 && ends_in(name, end))
			*VEC_ADD(*paths, count, cap) =
			    slash ? str_format("%s%s", folder, name) : str_copy(name);
		free(entry[i]);
	}
	free(entry);
	free(start);
	free(folder);
	free(place);
	return count;
}

static void free_paths(char **paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
}

/* Take in one file whose lock is held. */
static int merge_file(
    struct store *s, const char *path, struct store_spooled *spooled, struct fault *f)
{
	struct store *from = store_open(path, STORE_READ, LOCK_WAIT_NS, f);
	struct store_added added = { 0 };
	uint64_t tags;
	int status = from ? store_merge(s, from, &added, &tags, f) : -1;

	store_close(from);
	spooled->rows += added.rows;
	if (status == 0) {
		remove_all(path);
		spooled->files++;
	}
	return status;
}

static int refuse_spooled(const char *path, struct store_spooled *spooled, struct fault *f)
{
	char *aside = str_format("%s%s", path, refused_suffix);
	int status = db_file_move(path, aside, f);

	spooled->bad++;
	free(aside);
	return status;
}

/* What a process left that was killed while it filled it: it has told nobody that rows are
 * kept there. */
static void remove_abandoned(const struct store *s)
{
	char **paths;
	size_t count = list_spool(s, part_suffix, &paths);
	struct stat st;

	for (size_t i = 0; i < count; i++)
		if (stat(paths[i], &st) == 0 && st.st_mtime + ABANDONED_S < time(NULL))
			remove_all(paths[i]);
	free_paths(paths, count);
}

int store_take_spool(struct store *s, struct store_spooled *spooled, struct fault *f)
{
	char **paths = NULL;
	size_t count = list_spool(s, suffix, &paths);
	int status = 0;

	*spooled = (struct store_spooled){ 0 };
	for (size_t i = 0; i < count && status == 0; i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC);
		struct stat st;

		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 &&
		    st.st_nlink > 0) {
			if (merge_file(s, paths[i], spooled, f) < 0) {
				if (db_trouble(s->db) == DB_LOCKED) {
					spooled->left++;
				} else if (db_trouble(s->db) == DB_FAILED) {
					status = -1;
				} else {
					spooled->why = *f;
					status = refuse_spooled(paths[i], spooled, f);
				}
			}
		} else if (fd >= 0 && errno == EWOULDBLOCK) {
			spooled->left++;
		}
		if (fd >= 0)
			close(fd);
	}
	free_paths(paths, count);
	remove_abandoned(s);
	if (status == 0 && spooled->bad)
		status = fault_set(f,
		    "rows that waited cannot be added, they are kept in %s: %.600s",
		    "NAME-spool-*.refused", spooled->why.text);
	return status;
}

void store_count_spool(struct store *s, uint64_t *waiting, uint64_t *refused)
{
	char **paths = NULL;

	*waiting = list_spool(s, suffix, &paths);
	free_paths(paths, *waiting);
	*refused = list_spool(s, refused_suffix, &paths);
	free_paths(paths, *refused);
}
