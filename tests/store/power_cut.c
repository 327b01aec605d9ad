/*
 * A power cut, or a disk without room, at every point where the store writes.
 *
 *     power_cut FOLDER BASE.csv MORE.csv SEEDS [FIRST]
 *
 * Below SQLite stands a file system of ours (a VFS) that counts what changes files: writes,
 * truncations, syncs and removals. At the k-th of them the power goes: it and all that
 * follow fail, and of what was written since a file's last sync, some is lost, by a seed:
 * all, nothing, or any of it, the last write in part. Or the disk is full: the k-th fails
 * alone, or it and all that follow. This is done for each k, for each kind of fault and for
 * several things to do. Then the database must open, be sound, and hold either what it held
 * before or all that was to be done, and the second if that had been reported; and what was
 * to be done must succeed now.
 *
 * What is wrong is printed, a line each, and the status is 1; then how often it was tried.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "record/bench_csv.h"
#include "store/store.h"
#include "store/store_check.h"
#include "store/store_prune.h"

enum fault_kind { POWER, FULL_ONCE, FULL_FROM_THEN_ON, FAULTS };
static const char *const fault_names[] = { "power cut", "no room once",
	"no room from then on" };
enum { SECTOR = 512 };

/* The faulty file system. */

struct change {
	char *path;
	sqlite3_int64 at, old_size;
	char *old, *new; /* NULL new: a truncation to `at` */
	int old_len, len;
};

static struct {
	sqlite3_vfs *real;
	bool on;
	enum fault_kind kind;
	long at, count; /* the change that fails; how many there were */
	struct change *change;
	size_t changes, cap;
	uint64_t random;
} disk;

struct cut_file {
	sqlite3_file base;
	char *path; /* NULL: a file that is not looked at again */
	sqlite3_file real[];
};

static uint64_t draw(void)
{
	disk.random = disk.random * 6364136223846793005u + 1442695040888963407u;
	return disk.random >> 33;
}

/* Whether the next change of a file fails. */
static bool fails(void)
{
	if (!disk.on)
		return false;
	disk.count++;
	return disk.count == disk.at || (disk.count > disk.at && disk.kind != FULL_ONCE);
}

static sqlite3_file *real_of(sqlite3_file *file)
{
	return ((struct cut_file *)file)->real;
}

static void forget(const char *path)
{
	size_t kept = 0;

	for (size_t i = 0; i < disk.changes; i++) {
		if (strcmp(disk.change[i].path, path) != 0) {
			disk.change[kept++] = disk.change[i];
			continue;
		}
		free(disk.change[i].path);
		free(disk.change[i].old);
		free(disk.change[i].new);
	}
	disk.changes = kept;
}

static void remember(struct cut_file *f, const void *bytes, int len, sqlite3_int64 at)
{
	struct change c = { str_copy(f->path), at, 0, NULL, NULL, 0, len };
	sqlite3_int64 end;

	f->real->pMethods->xFileSize(f->real, &c.old_size);
	end = bytes && at + len < c.old_size ? at + len : c.old_size;
	if (end > at) {
		c.old_len = (int)(end - at);
		c.old = mem_zero((size_t)c.old_len, 1);
		f->real->pMethods->xRead(f->real, c.old, c.old_len, at);
	}
	if (bytes)
		c.new = memcpy(mem_zero((size_t)len, 1), bytes, (size_t)len);
	*VEC_ADD(disk.change, disk.changes, disk.cap) = c;
}

static int cut_close(sqlite3_file *file)
{
	struct cut_file *f = (struct cut_file *)file;

	free(f->path);
	return f->real->pMethods->xClose(f->real);
}

static int cut_read(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
	return real_of(file)->pMethods->xRead(real_of(file), bytes, len, at);
}

static int cut_write(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
	struct cut_file *f = (struct cut_file *)file;
	bool failed = f->path && fails();

	/* The write under way when the power goes may have been done, or a part of it. */
	if (failed && (disk.kind != POWER || disk.count != disk.at))
		return disk.kind == POWER ? SQLITE_IOERR_WRITE : SQLITE_FULL;
	if (f->path && disk.on && disk.kind == POWER)
		remember(f, bytes, len, at);
	int code = f->real->pMethods->xWrite(f->real, bytes, len, at);
	return failed ? SQLITE_IOERR_WRITE : code;
}

static int cut_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	struct cut_file *f = (struct cut_file *)file;

	if (f->path && fails())
		return SQLITE_IOERR_TRUNCATE;
	if (f->path && disk.on && disk.kind == POWER)
		remember(f, NULL, 0, size);
	return f->real->pMethods->xTruncate(f->real, size);
}

static int cut_sync(sqlite3_file *file, int flags)
{
	struct cut_file *f = (struct cut_file *)file;

	(void)flags;
	if (f->path && fails())
		return SQLITE_IOERR_FSYNC;
	if (f->path)
		forget(f->path);
	return SQLITE_OK; /* a real disk would only make the test slow */
}

static int cut_size(sqlite3_file *file, sqlite3_int64 *size)
{
	return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int cut_lock(sqlite3_file *file, int how)
{
	return real_of(file)->pMethods->xLock(real_of(file), how);
}

static int cut_unlock(sqlite3_file *file, int how)
{
	return real_of(file)->pMethods->xUnlock(real_of(file), how);
}

static int cut_reserved(sqlite3_file *file, int *out)
{
	return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int cut_control(sqlite3_file *file, int op, void *arg)
{
	return real_of(file)->pMethods->xFileControl(real_of(file), op, arg);
}

static int cut_sector(sqlite3_file *file)
{
	return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int cut_device(sqlite3_file *file)
{
	return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int cut_shm_map(
    sqlite3_file *file, int page, int size, int extend, void volatile **out)
{
	return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, out);
}

static int cut_shm_lock(sqlite3_file *file, int at, int n, int flags)
{
	return real_of(file)->pMethods->xShmLock(real_of(file), at, n, flags);
}

static void cut_shm_barrier(sqlite3_file *file)
{
	real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int cut_shm_unmap(sqlite3_file *file, int gone)
{
	return real_of(file)->pMethods->xShmUnmap(real_of(file), gone);
}

static const sqlite3_io_methods methods = { 2, cut_close, cut_read, cut_write, cut_truncate,
	cut_sync, cut_size, cut_lock, cut_unlock, cut_reserved, cut_control, cut_sector,
	cut_device, cut_shm_map, cut_shm_lock, cut_shm_barrier, cut_shm_unmap, NULL, NULL };

static int cut_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	struct cut_file *f = (struct cut_file *)file;
	int code = disk.real->xOpen(disk.real, name, f->real, flags, out);

	(void)vfs;
	f->base.pMethods = code == SQLITE_OK ? &methods : NULL;
	f->path = code == SQLITE_OK && name ? str_copy(name) : NULL;
	return code;
}

static int cut_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs;
	(void)sync;
	if (fails())
		return SQLITE_IOERR_DELETE;
	forget(name);
	return disk.real->xDelete(disk.real, name, 0);
}

static void put(const char *path, const char *bytes, size_t len, sqlite3_int64 at)
{
	FILE *file = fopen(path, "r+");

	if (!file)
		return;
	fseek(file, (long)at, SEEK_SET);
	fwrite(bytes, 1, len, file);
	fclose(file);
}

/* What is left on the disk of what was not synced. */
static void lose(int seed)
{
	disk.on = false;
	for (size_t i = disk.changes; i-- > 0;) {
		struct change *c = &disk.change[i];

		if (c->old)
			put(c->path, c->old, (size_t)c->old_len, c->at);
		if (truncate(c->path, c->old_size) < 0)
			err(2, "%s", c->path);
	}
	for (size_t i = 0; i < disk.changes; i++) {
		struct change *c = &disk.change[i];
		bool last = i + 1 == disk.changes;
		size_t len = (size_t)c->len;

		if (seed == 0 || (seed > 1 && draw() % 2))
			continue;
		if (!c->new &&truncate(c->path, c->at) < 0)
			err(2, "%s", c->path);
		if (last && seed > 1 && len > SECTOR)
			len = draw() % (len / SECTOR) * SECTOR;
		if (c->new)
			put(c->path, c->new, len, c->at);
	}
	while (disk.changes) {
		char *path = str_copy(disk.change[0].path);

		forget(path);
		free(path);
	}
}

/* What is done while the disk fails, and what came of it. */

static char database[4096], base_file[4096];
static const char *more_csv;
static int violations;

static int add_to(const char *name, const char *csv, struct fault *f)
{
	static const struct stream_sink sink = { .row = ingest_add_row,
		.fact = ingest_add_fact };
	struct store *s = store_open(name, STORE_CREATE, 0, f);
	struct ingest *in = ingest_open();
	struct stream *stream = stream_open(&sink, in);
	struct store_added added;
	int status = s ? stream_read(stream, csv, f) : -1;

	ingest_finish(in);
	if (status == 0)
		status = store_add(s, in, &added, f);
	ingest_close(in);
	stream_close(stream);
	store_close(s);
	return status;
}

static int add_more(struct fault *f)
{
	return add_to(database, more_csv, f);
}

/* Everything goes, then the file is written anew. */
static int prune_all(struct fault *f)
{
	struct store *s = store_open(database, STORE_CREATE, 0, f);
	struct store_keep keep = { .has_until = true, .until = INT64_MAX };
	struct store_pruned pruned;
	int status =
	    s ? store_prune(s, &(struct filter){ 0 }, &keep, NULL, &pruned, f) : -1;
	struct fault late;

	if (status == 0)
		store_vacuum(s, &late); /* which may fail, and changes nothing */
	store_close(s);
	return status;
}

static const struct scenario {
	const char *name;
	bool base; /* there is a database before */
	int (*act)(struct fault *f);
} scenarios[] = {
	{ "add to a new database", false, add_more },
	{ "add", true, add_more },
	{ "prune", true, prune_all },
};

static void remove_database(void)
{
	static const char *const parts[] = { "", "-wal", "-shm", "-journal" };

	for (size_t i = 0; i < COUNT(parts); i++) {
		char *name = str_format("%s%s", database, parts[i]);

		unlink(name);
		free(name);
	}
}

static void begin(const struct scenario *scenario)
{
	struct buf bytes = { 0 };
	struct fault f;
	FILE *file;

	remove_database();
	if (!scenario->base)
		return;
	file = fopen(database, "w");
	if (file_read(base_file, &bytes, &f) < 0 || !file ||
	    fwrite(bytes.ptr, 1, bytes.len, file) != bytes.len || fclose(file) != 0)
		errx(2, "%s cannot be made", database);
	buf_free(&bytes);
}

static void complain_finding(void *ctx, const char *text)
{
	printf("%s: %s\n", (const char *)ctx, text);
}

/* All that is in the database, allocated; NULL and the message when it cannot be read. */
static char *contents(const char *where, struct fault *f)
{
	struct store *s = store_open(database, STORE_READ, 0, f);
	struct store_checked checked = { 0 };
	struct store_output out = { NULL, RENDER_CSV, 0 };
	char *text = NULL;
	size_t len;
	int status;

	if (!s)
		return NULL;
	out.file = open_memstream(&text, &len);
	status = store_check(s, &checked, complain_finding, (void *)where, f);
	if (status == 0)
		status = store_export(s, &(struct filter){ 0 }, &out, f);
	fclose(out.file);
	store_close(s);
	violations += checked.findings > 0;
	if (status == 0)
		return text;
	free(text);
	return NULL;
}

static void wrong(const char *where, const char *what)
{
	printf("%s: %s\n", where, what);
	violations++;
}

/* One fault; false when the work ended before it. */
static bool try(const struct scenario *scenario, enum fault_kind kind, long at, int seed,
    const char *before, const char *after)
{
	char *where = str_format(
	    "%s, %s at change %ld, seed %d", scenario->name, fault_names[kind], at, seed);
	struct fault f;
	char *now;
	int status;

	begin(scenario);
	disk.kind = kind;
	disk.at = at;
	disk.count = 0;
	disk.random = (uint64_t)seed * 1000003 + (uint64_t)at;
	disk.on = true;
	status = scenario->act(&f);
	bool reached = disk.count >= at;
	lose(kind == POWER ? seed : 1);
	if (kind == POWER) {
		char *shm = str_format("%s-shm", database);

		unlink(shm); /* it is memory */
		free(shm);
	}
	now = contents(where, &f);
	if (!now && (scenario->base || status == 0))
		wrong(where, f.text);
	else if (now && strcmp(now, after) != 0 &&
	         (status == 0 || strcmp(now, before) != 0))
		wrong(where, status == 0 ? "what was reported is not there"
		                         : "it is neither as before nor as it should be");
	free(now);
	if (scenario->act(&f) < 0)
		wrong(where, f.text);
	now = contents(where, &f);
	if (!now || strcmp(now, after) != 0)
		wrong(where, "doing it again has not done it");
	free(now);
	free(where);
	return reached;
}

static unsigned long run(const struct scenario *scenario, int first, int seeds)
{
	unsigned long tries = 0;
	struct fault f = { 0 };
	char *before, *after;

	begin(scenario);
	store_close(
	    store_open(database, STORE_CREATE, 0, &f)); /* empty unless it is there */
	before = contents("before", &f);
	begin(scenario);
	if (!before || scenario->act(&f) < 0)
		errx(2, "%s: %s", scenario->name, f.text);
	after = contents("after", &f);
	for (enum fault_kind kind = 0; kind < FAULTS; kind++)
		for (int seed = first; seed < first + (kind == POWER ? seeds : 1); seed++)
			for (long at = 1; try(scenario, kind, at, seed, before, after);
			     at++)
				tries++;
	free(before);
	free(after);
	return tries;
}

int main(int argc, char **argv)
{
	static sqlite3_vfs vfs;
	struct fault f;

	if (argc < 5)
		errx(2, "usage: power_cut FOLDER BASE.csv MORE.csv SEEDS [FIRST]");
	snprintf(database, sizeof(database), "%s/cut.db", argv[1]);
	snprintf(base_file, sizeof(base_file), "%s/base.db", argv[1]);
	more_csv = argv[3];
	disk.real = sqlite3_vfs_find(NULL);
	vfs = *disk.real;
	vfs.zName = "cut";
	vfs.szOsFile = (int)sizeof(struct cut_file) + disk.real->szOsFile;
	vfs.xOpen = cut_open;
	vfs.xDelete = cut_delete;
	sqlite3_vfs_register(&vfs, 1);
	if (add_to(base_file, argv[2], &f) < 0)
		errx(2, "%s", f.text);
	for (size_t i = 0; i < COUNT(scenarios); i++)
		printf("%s: %lu faults\n", scenarios[i].name,
		    run(&scenarios[i], argc > 5 ? atoi(argv[5]) : 0, atoi(argv[4])));
	remove_database();
	return violations > 0;
}
