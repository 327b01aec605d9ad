/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A power cut, or a disk without room, at every point where the store writes.
 *
 *     power_cut FOLDER BASE.csv MORE.csv SEEDS [FIRST]
 *
 * Below SQLite is a file system of ours (power_cut_vfs.c) that counts what changes files:
 * writes, truncations, syncs and removals. At the k-th of them the power goes: it and all
 * that follow fail, and of what was written since a file's last sync, some is lost, by a
 * seed: all, nothing, or any of it, the last write in part. Or the disk is full: the k-th
 * fails alone, or it and all that follow. This is done for each k, for each kind of fault
 * and for several things to do. Then the database must open, be sound, and hold either what
 * it held before or all that was to be done, and the second if that had been reported; and
 * what was to be done must succeed now.
 *
 * What is wrong is printed, a line each, and the status is 1; then how often it was tried.
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

static const char *const kind_names[CUT_KINDS] = { "power cut", "no room once",
	"no room from then on" };

/* What is done while the disk fails, and what came of it. */

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

/* Everything goes, then the file is written anew. */
static int prune_all(struct fault *f)
{
	struct store *s = store_open(database, STORE_CREATE, 0, f);
	struct store_keep keep = { .has_until = true, .until = INT64_MAX };
	struct store_pruned pruned;
	int status =
	    s ? store_prune(s, &(struct store_filter){ 0 }, &keep, NULL, &pruned, f) : -1;
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
		status = store_export(s, &(struct store_filter){ 0 }, &out, f);
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
