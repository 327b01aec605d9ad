/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A spooled file is a complete database, so the functions that create, read and merge
 * databases also handle spooled rows. It is created in memory, and gets its name when it
 * is complete and on the disk. A process that adds a file holds a lock on it, by
 * flock(2). If the process is killed between adding the rows and removing the file, the
 * next addition skips the rows.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/provenance.h"
#include "store/spool_folder_priv.h"
#include "store/store_merge.h"
#include "store/store_priv.h"
#include "store/store_spool.h"
#include "sys/temp_file.h"
#include "text/display_text.h"

enum { ABANDONED_S = 24 * 3600, FOLDER_ATTEMPTS = 1000 };
static const char suffix[] = ".db", refused_suffix[] = ".db.refused", old_part[] = ".part";

/* --- spooling rows */

/*
 * Writes a database under a new name in the directory. Returns 0; or -1, errno and the
 * message.
 */
static int write_spool(const struct spool_folder *directory, const char *name,
    struct store *image, struct fault *f)
{
	char *path = str_format("/proc/self/fd/%d/%s", directory->fd, name);
	struct temp_file *t = temp_file_open(path, TEMP_FILE_NEW, f);
	int status = t ? 0 : -1;

	free(path);
	errno = t ? 0 : errno;
	if (t && (fchmod(temp_file_fd(t), 0600) < 0 ||
	             db_image_write(image->db, temp_file_fd(t), f) < 0)) {
		int error = errno;

		temp_file_discard(t);
		errno = error;
		status = -1;
	} else if (t) {
		status = temp_file_commit(t, f);
	}
	return status;
}

/* Writes a database to the user's directory, which another addition may remove
 * concurrently.
 */
static int place_spool(
    struct store *image, const char *place, const char *name, char **path, struct fault *f)
{
	struct spool_folder directory;
	int status = -1, error;

	for (int i = 0; i < FOLDER_ATTEMPTS; i++) {
		if (spool_folder_open(&directory, place, true, f) < 0) {
			if (errno == ENOENT && i + 1 < FOLDER_ATTEMPTS)
				continue;
			return -1;
		}
		status = write_spool(&directory, name, image, f);
		error = errno;
		*path = spool_folder_path(&directory, name);
		if (status == 0) {
			spool_folder_close(&directory);
			return 0;
		}
		spool_folder_remove(&directory);
		errno = error;
		if (error)
			fault_errno(f, "%s", *path);
		free(*path);
		*path = NULL;
		if (error != ENOENT)
			break;
	}
	return -1;
}

static struct store *fill_image(const char *name, struct ingest *in, struct fault *f)
{
	struct store *s = store_open_image(name, -1, f);
	struct store_added added;

	if (s && store_add(s, in, &added, f) == 0)
		return s;
	store_close(s);
	return NULL;
}

/* Writes the rows to a new file, and sets *path, allocated. 0 or -1. */
static int spool_rows(struct store *s, struct ingest *in, char **path, struct fault *f)
{
	char id[PROVENANCE_RUN_MAX], *place = db_spool(s->db), *name;
	struct store *image = NULL;
	int status;

	*path = NULL;
	if (!place)
		return fault_set(
		    f, "neither $XDG_STATE_HOME nor $HOME is an absolute path");
	provenance_run(id);
	name = str_format("%s%s", id, suffix);
	/* The directory of a database file must exist; it is not created to spool rows. */
	status = db_is_file(s->name) ? 0 : store_make_folder(place, f);
	if (status == 0)
		image = fill_image(name, in, f);
	status = image ? place_spool(image, place, name, path, f) : -1;
	store_close(image);
	free(name);
	free(place);
	return status;
}

int store_spool_rows(struct store *s, struct ingest *in, struct buf *report,
    struct buf *warnings, struct fault *f)
{
	enum db_trouble trouble = db_trouble(s->db);
	struct fault why = *f, no_place;
	char *path;

	if (trouble != DB_LOCKED && trouble != DB_BLOCKED)
		return -1;
	if (spool_rows(s, in, &path, &no_place) < 0)
		return fault_set(f, "%.600s; the rows cannot be spooled either: %.300s",
		    why.text, no_place.text);
	buf_printf(trouble == DB_LOCKED ? report : warnings,
	    "%.800s; the rows are spooled in %s, and your next bench-store add adds them\n",
	    why.text, path);
	free(path);
	return 0;
}

/* --- adding spooled rows */

/* The spooled rows that are being added, and their directory. */
struct spool_taking {
	struct store *store;
	struct store_spooled *spooled;
	struct spool_folder directory;
};

static void remove_file(const struct spool_folder *directory, const char *name)
{
	/* An older version may have left the last two. */
	static const char *const parts[] = { "", "-wal", "-shm" };

	for (size_t i = 0; i < (directory->own ? 1 : COUNT(parts)); i++) {
		char *part = str_format("%s%s", name, parts[i]);

		unlinkat(directory->fd, part, 0);
		free(part);
	}
}

static void note_passed(struct spool_taking *t, const char *name, const char *objection)
{
	struct store_spooled *s = t->spooled;

	if (s->passed++ < STORE_PASSED_SHOWN) {
		display_text_clean(&s->notes, text_of(t->directory.path));
		display_text_clean(&s->notes, text_of(name));
		buf_printf(&s->notes, ": skipped: %s\n", objection);
	}
}

/* Adds the rows of one file whose lock is held. */
static int merge_file(struct spool_taking *t, const char *name, int fd, struct fault *f)
{
	char *path = spool_folder_path(&t->directory, name);
	struct store *from = store_open_image(path, fd, f);
	struct store_added added = { 0 };
	uint64_t tags;
	int status = from ? store_merge(t->store, from, &added, &tags, f) : -1;

	store_close(from);
	free(path);
	store_added_count(&t->spooled->added, &added);
	if (status == 0) {
		remove_file(&t->directory, name);
		t->spooled->files++;
	}
	return status;
}

static int refuse_file(struct spool_taking *t, const char *name, struct fault *f)
{
	char *aside = str_format("%s.refused", name),
	     *path = spool_folder_path(&t->directory, aside);
	int status = 0;

	t->spooled->why = *f;
	t->spooled->bad++;
	if (renameat(t->directory.fd, name, t->directory.fd, aside) < 0 ||
	    fsync(t->directory.fd) < 0)
		status = fault_errno(f, "%s", path);
	free(t->spooled->refused);
	t->spooled->refused = path;
	free(aside);
	return status;
}

/* Adds the rows of an open file, unless another process is adding them. 0 or -1. */
static int take_open(struct spool_taking *t, const char *name, int fd, struct fault *f)
{
	enum db_trouble trouble;
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		t->spooled->left += errno == EWOULDBLOCK;
		return 0;
	}
	if (fstat(fd, &st) < 0 || st.st_nlink == 0 || merge_file(t, name, fd, f) == 0)
		return 0;
	trouble = db_trouble(t->store->db);
	if (trouble == DB_LOCKED) {
		t->spooled->left++;
		return 0;
	}
	return trouble == DB_NO_TROUBLE ? refuse_file(t, name, f) : -1;
}

/* Adds the rows of one file, if it is acceptable. */
static int take_file(struct spool_taking *t, const char *name, struct fault *f)
{
	const char *objection = spool_folder_objection(&t->directory, name, -1);
	int fd = objection ? -1
	                   : openat(t->directory.fd, name,
	                         O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	int status = 0;

	if (fd >= 0)
		objection = spool_folder_objection(&t->directory, name, fd);
	else if (!objection && errno != ENOENT)
		objection = strerror(errno);
	if (objection)
		note_passed(t, name, objection);
	else if (fd >= 0)
		status = take_open(t, name, fd, f);
	if (fd >= 0)
		close(fd);
	return status;
}

/*
 * Removes unfinished files of processes that were killed while writing. These processes
 * did not report that the rows were spooled.
 */
static void remove_abandoned(const struct spool_folder *directory)
{
	char **names;
	size_t count = spool_folder_list(directory, directory->own ? "" : old_part, &names);
	struct stat st;

	for (size_t i = 0; i < count; i++)
		if ((!directory->own || *names[i] == '.') &&
		    fstatat(directory->fd, names[i], &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
		    st.st_mtime + ABANDONED_S < time(NULL))
			remove_file(directory, names[i]);
	spool_names_free(names, count);
}

static int take_folder(struct spool_taking *t, struct fault *f)
{
	char **names;
	size_t count = spool_folder_list(&t->directory, suffix, &names);
	int status = 0;

	for (size_t i = 0; i < count && status == 0; i++)
		status = take_file(t, names[i], f);
	spool_names_free(names, count);
	remove_abandoned(&t->directory);
	return status;
}

int store_take_spool(struct store *s, struct store_spooled *spooled, struct fault *f)
{
	struct spool_taking t = { .store = s, .spooled = spooled };
	char *place = db_spool(s->db);
	int status = 0;

	*spooled = (struct store_spooled){ 0 };
	if (!place)
		return 0;
	if (spool_folder_open(&t.directory, place, false, f) == 0) {
		status = take_folder(&t, f);
		spool_folder_remove(&t.directory);
	} else {
		spooled->passed++;
		display_text_clean(&spooled->notes, text_of(f->text));
		buf_str(&spooled->notes, ": skipped\n");
	}
	spool_folder_open_old(&t.directory, place);
	if (status == 0)
		status = take_folder(&t, f);
	spool_folder_close(&t.directory);
	free(place);
	if (status == 0 && spooled->bad)
		status = fault_set(f,
		    "spooled rows cannot be added; they are kept in %.400s: %.500s",
		    spooled->refused, spooled->why.text);
	return status;
}

void store_spooled_free(struct store_spooled *spooled)
{
	buf_free(&spooled->notes);
	free(spooled->refused);
}

/* --- counting spooled files */

size_t store_spool_others(struct store *s, char ***paths)
{
	char *place = db_spool(s->db);
	size_t count = 0;

	*paths = NULL;
	if (place)
		count = spool_folder_others(place, paths);
	free(place);
	return count;
}

static uint64_t count_files(const struct spool_folder *directory, const char *end)
{
	char **names;
	size_t count = spool_folder_list(directory, end, &names);
	uint64_t files = 0;

	for (size_t i = 0; i < count; i++)
		files += !spool_folder_objection(directory, names[i], -1);
	spool_names_free(names, count);
	return files;
}

void store_count_spool(struct store *s, uint64_t *waiting, uint64_t *refused)
{
	char *place = db_spool(s->db);
	struct spool_folder directory[2] = { { .fd = -1 }, { .fd = -1 } };
	struct fault ignored;

	*waiting = *refused = 0;
	if (!place)
		return;
	spool_folder_open(&directory[0], place, false, &ignored);
	spool_folder_open_old(&directory[1], place);
	for (size_t i = 0; i < COUNT(directory); i++) {
		*waiting += count_files(&directory[i], suffix);
		*refused += count_files(&directory[i], refused_suffix);
		spool_folder_close(&directory[i]);
	}
	free(place);
}
