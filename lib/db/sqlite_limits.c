/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits the effects of a foreign database on this process. Nothing in its schema runs
 * with the rights of this program's own SQL, and no statement of this program runs much
 * longer than an intact file of the same size requires. Without this limit, reading a
 * file whose pages refer to the same pages again and again could take years.
 */
#include <sys/stat.h>

#include "db/sqlite_priv.h"

/*
 * The number of instructions of SQLite's virtual machine between two checks of the limit.
 */
enum { STRIDE = 100000 };

/* About a second of work, plus far more per byte than the slowest verb needs. */
static const double least_work = 20e6, work_per_byte = 100;

static int count_work(void *ctx)
{
	struct sqlite_budget *b = ctx;

	b->left -= STRIDE;
	return b->limited && b->left < 0;
}

void sqlite_limits_renew(struct sqlite_budget *b)
{
	b->left = least_work + work_per_byte * b->bytes;
}

void sqlite_limits_size(struct sqlite_budget *b, const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0)
		b->bytes = (double)st.st_size;
	sqlite_limits_renew(b);
}

void sqlite_limits_set(sqlite3 *handle, struct sqlite_budget *b)
{
	static const struct {
		int option, on;
	} options[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
		{ SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_FKEY, 1 },
	};

	for (size_t i = 0; i < COUNT(options); i++)
		sqlite3_db_config(handle, options[i].option, options[i].on, NULL);
	sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1); /* VACUUM needs it */
	sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 10);
	sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0);
	b->limited = true;
	sqlite_limits_renew(b);
	sqlite3_progress_handler(handle, STRIDE, count_work, b);
}
