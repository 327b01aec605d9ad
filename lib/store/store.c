/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens stores, and determines the default database.
 */
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "store/store_priv.h"
#include "sys/parent_dirs.h"

static struct store *new_store(struct db *db, bool reading)
{
	struct store *s = NULL;

	if (db) {
		s = mem_zero(1, sizeof(*s));
		*s = (struct store){
			.db = db, .name = str_copy(db_name(db)), .reading = reading
		};
	}
	return s;
}

struct store *store_open(const char *name, int flags, double wait_ns, struct fault *f)
{
	struct buf schema = { 0 };
	struct db *db = NULL;
	int how = (flags & STORE_READ ? DB_READ : 0) |
	          (flags & STORE_CREATE ? DB_CREATE : 0) |
	          (flags & STORE_EMPTY ? DB_EMPTY : 0) |
	          (flags & STORE_DEFER ? DB_DEFER : 0) | (flags & STORE_OLD ? DB_OLD : 0);

	if (share_read("store/schema.sql", &schema, f) == 0)
		db =
		    db_open(name, how, text_in(&schema), wait_ns, f);
	buf_free(&schema);
	return new_store(db, flags & STORE_READ);
}

struct store *store_open_image(const char *name, int fd, struct fault *f)
{
	struct buf schema = { 0 };
	struct db *db = NULL;

	if (share_read("store/schema.sql", &schema, f) == 0) {
		struct text text = { schema.ptr, schema.len };

		db =
		    fd < 0 ? db_image_new(name, text, f) : db_image_open(name, fd, text, f);
	}
	buf_free(&schema);
	return new_store(db, fd >= 0);
}

void store_close(struct store *s)
{
	if (!s)
		return;
	db_close(s->db);
	free(s->name);
	free(s);
}

int store_copy(struct store *s, const char *path, struct fault *f)
{
	return db_copy(s->db, path, f);
}

void store_warn_location(const struct store *s, struct buf *out)
{
	db_warn_location(s->db, out);
}

char *store_default_name(struct fault *f)
{
	const char *name = getenv("BENCH_DB");
	char *path;

	if (name && *name)
		return str_copy(name);
	path = user_path("XDG_DATA_HOME", ".local/share", "bench.db");
	if (!path)
		fault_set(f,
		    "no database is given, and neither $XDG_DATA_HOME nor $HOME is an "
		    "absolute path: use -D or set $BENCH_DB");
	return path;
}

int store_make_folder(const char *name, struct fault *f)
{
	return db_is_file(name) ? parent_dirs_make(name, 0777, f) : 0;
}
