/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests a power failure, or a full disk, at every change of a file by the store.
 *
 *     power_cut FOLDER BASE.csv MORE.csv SEEDS [FIRST]
 *
 * A file system below SQLite (power_cut_vfs.c) counts the changes of files: writes,
 * truncations, syncs and removals. At the k-th change the power fails: this change and all
 * later ones fail, and all, none or a random part of what was written since the last sync
 * of a file is lost, by a seed. Or the disk is full: only the k-th change fails, or the
 * k-th and all later ones. This is repeated for each k, each kind of fault and several
 * operations. Afterward, the database must open and be sound. It must have its previous
 * contents or the result of the whole operation, and the latter if the operation reported
 * success. Repeating the operation must succeed.
 *
 * Prints each violation in a line, and then the number of faults. The status is 1 if there
 * are violations.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "power_cut_vfs.h"
#include "record/bench_csv.h"
#include "store/store.h"
#include "store/store_check.h"
#include "store/store_prune.h"

static const char *const kind_names[CUT_KINDS] = { "power failure", "full disk once",
	"full disk from then on" };

/* An operation during which the disk fails, and its result. */

static char database[4096], base_file[4096];
static const char *more_csv;
static int violations;

static int add_to(const char *name, const char *csv, struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = ingest_add_row,
		.fact = ingest_add_fact };
	struct store *s = store_open(name, STORE_CREATE, 0, f);
	struct ingest *in = ingest_open();
	struct bench_csv *stream = bench_csv_open(&sink, in);
	struct store_added added;
	int status = s ? bench_csv_read(stream, csv, f) : -1;

	ingest_finish(in);
	if (status == 0)
		status = store_add(s, in, &added, f);
	ingest_close(in);
	bench_csv_close(stream);
	store_close(s);
	return status;
}

static int add_more(struct fault *f)
{
	return add_to(database, more_csv, f);
}

/* Removes all runs, and rewrites the file. */
static int prune_all(struct fault *f)
{
	struct store *s = store_open(database, STORE_CREATE, 0, f);
	struct store_keep keep = { .has_until = true, .until = INT64_MAX };
	struct store_pruned pruned;
	int status =
	    s ? store_prune(s, &(struct store_filter){ 0 }, &keep, NULL, &pruned, f) : -1;
	struct fault late;

	if (status == 0)
		store_vacuum(s, &late); /* may fail, without effect on the contents */
	store_close(s);
	return status;
}

static const struct scenario {
	const char *name;
	bool base; /* whether the database exists before */
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

/*
 * Returns all contents of the database, allocated; NULL and the message if it cannot be
 * read.
 */
static char *contents(const char *where, struct fault *f)
{
	struct store *s = store_open(database, STORE_READ, 0, f);
	struct store_checked checked = { 0 };
	struct store_output out = { .to.format = RENDER_CSV };
	char *text = NULL;
	size_t len;
	int status;

	if (!s)
		return NULL;
	out.to.file = open_memstream(&text, &len);
	status = store_check(s, &checked, complain_finding, (void *)where, f);
	if (status == 0)
		status = store_export(s, &(struct store_filter){ 0 }, &out, f);
	fclose(out.to.file);
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

/* Tests one fault. Returns false if the operation ended before the fault. */
static bool try(const struct scenario *scenario, enum cut_kind kind, long at, int seed,
    const char *before, const char *after)
{
	char *where = str_format(
	    "%s, %s at change %ld, seed %d", scenario->name, kind_names[kind], at, seed);
	struct fault f;
	char *now;
	int status;

	begin(scenario);
	cut_begin(kind, at, (uint64_t)seed * 1000003 + (uint64_t)at);
	status = scenario->act(&f);
	bool reached = cut_changes() >= at;
	cut_end(kind == CUT_POWER ? seed : 1);
	if (kind == CUT_POWER) {
		char *shm = str_format("%s-shm", database);

		unlink(shm); /* shared memory is lost */
		free(shm);
	}
	now = contents(where, &f);
	if (!now && (scenario->base || status == 0))
		wrong(where, f.text);
	else if (now && strcmp(now, after) != 0 &&
	         (status == 0 || strcmp(now, before) != 0))
		wrong(where,
		    status == 0
		        ? "the operation reported success, but had no effect"
		        : "the database is neither unchanged nor as after the operation");
	free(now);
	if (scenario->act(&f) < 0)
		wrong(where, f.text);
	now = contents(where, &f);
	if (!now || strcmp(now, after) != 0)
		wrong(where, "repeating the operation does not complete it");
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
	store_close(store_open(database, STORE_CREATE, 0,
	    &f)); /* creates an empty database unless begin did */
	before = contents("before", &f);
	begin(scenario);
	if (!before || scenario->act(&f) < 0)
		errx(2, "%s: %s", scenario->name, f.text);
	after = contents("after", &f);
	for (enum cut_kind kind = 0; kind < CUT_KINDS; kind++)
		for (int seed = first; seed < first + (kind == CUT_POWER ? seeds : 1);
		     seed++)
			for (long at = 1; try(scenario, kind, at, seed, before, after);
			     at++)
				tries++;
	free(before);
	free(after);
	return tries;
}

int main(int argc, char **argv)
{
	struct fault f;

	if (argc < 5)
		errx(2, "usage: power_cut FOLDER BASE.csv MORE.csv SEEDS [FIRST]");
	snprintf(database, sizeof(database), "%s/cut.db", argv[1]);
	snprintf(base_file, sizeof(base_file), "%s/base.db", argv[1]);
	more_csv = argv[3];
	cut_install();
	if (add_to(base_file, argv[2], &f) < 0)
		errx(2, "%s", f.text);
	for (size_t i = 0; i < COUNT(scenarios); i++)
		printf("%s: %lu faults\n", scenarios[i].name,
		    run(&scenarios[i], argc > 5 ? atoi(argv[5]) : 0, atoi(argv[4])));
	remove_database();
	return violations > 0;
}
