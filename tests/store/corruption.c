/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that bench-store check finds every corruption with a visible effect.
 *
 *     corruption DATABASE COUNT [SEED [FIRST]]
 *
 * Corrupts each of COUNT copies of a sound database once (corruption.h), at random from a
 * seed. A corruption is missed if the copy can be opened, check finds nothing, and the
 * output of export, list or sql differs from that of the original. Prints missed
 * corruptions, and then the number of corruptions of each kind. The status is 1 if any
 * was missed.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corruption.h"
#include "store/store_check.h"
#include "sys/kernel_files.h"

static const char copy[] = "corrupted.db";

enum outcome { REFUSED, FOUND, HARMLESS, MISSED, OUTCOMES };
static const char *const outcome_names[OUTCOMES] = { "refused", "found", "harmless",
	"missed" };

static void count_finding(void *ctx, const char *text)
{
	(void)text;
	++*(size_t *)ctx;
}

static void print_finding(void *ctx, const char *text)
{
	printf("# %s: %s\n", (const char *)ctx, text);
}

static void ask(struct store *s, struct store_output *out, const char *sql)
{
	struct fault f;

	fprintf(out->to.file, "%s\n", sql);
	if (store_sql(s, sql, NULL, 0, out, &f) < 0)
		fprintf(out->to.file, "error: %s\n", f.text);
}

/* Returns all that export, list and sql show; allocated. */
static char *shown(struct store *s, const struct corruption_tables *t)
{
	struct store_filter all = { 0 };
	struct store_output out = { .to.format = RENDER_CSV };
	struct fault f;
	char *text = NULL;
	size_t len;

	out.to.file = open_memstream(&text, &len);
	if (store_export(s, &all, &out, &f) < 0 ||
	    store_export_facts(s, &all, &out, &f) < 0)
		fprintf(out.to.file, "error: %s\n", f.text);
	for (size_t i = 0; store_lists[i]; i++)
		if (store_list(s, store_lists[i], &all, &out, &f) < 0)
			fprintf(out.to.file, "error: %s\n", f.text);
	for (size_t i = 0; i < t->count + t->views; i++) {
		char *sql = str_format("SELECT * FROM %s",
		    i < t->count ? t->table[i].name : t->view[i - t->count]);

		ask(s, &out, sql);
		free(sql);
	}
	ask(s, &out, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name");
	fclose(out.to.file);
	return text;
}

static void put_copy(const struct buf *base)
{
	static const char *const beside[] = { "corrupted.db-wal", "corrupted.db-shm" };
	FILE *f = fopen(copy, "w");

	if (!f || fwrite(base->ptr, 1, base->len, f) != base->len || fclose(f) != 0)
		err(2, "%s", copy);
	for (size_t i = 0; i < COUNT(beside); i++)
		unlink(beside[i]);
}

static enum outcome judge(const struct corruption_tables *t, const char *want)
{
	struct store_checked checked;
	size_t findings = 0;
	struct fault f;
	struct store *s = store_open(copy, STORE_READ, 0, &f);
	enum outcome outcome = FOUND;

	if (!s)
		return REFUSED;
	if (store_check(s, &checked, count_finding, &findings, &f) < 0) {
		outcome = REFUSED;
	} else if (!findings) {
		char *got = shown(s, t);

		outcome = strcmp(got, want) == 0 ? HARMLESS : MISSED;
		free(got);
	}
	store_close(s);
	return outcome;
}

static char *sound_contents(const char *database, const struct corruption_tables *t)
{
	struct store_checked checked;
	struct fault f;
	struct store *s = store_open(database, STORE_READ, 0, &f);
	char *want;

	if (!s || store_check(s, &checked, print_finding, (void *)database, &f) < 0)
		errx(2, "%s", f.text);
	if (checked.findings)
		errx(2, "%s: not sound", database);
	want = shown(s, t);
	store_close(s);
	return want;
}

/* Corrupts a copy for the number-th time; repeats attempts that change nothing. */
static char *corrupt(
    const struct corruption_tables *t, const struct buf *base, uint64_t seed, size_t *kind)
{
	char *what = NULL;
	struct rng rng;

	rng_seed(&rng, seed);
	while (!what) {
		*kind = rng_below(&rng, CORRUPTION_KINDS);
		put_copy(base);
		what = corruption_apply(t, *kind, copy, &rng);
	}
	return what;
}

int main(int argc, char **argv)
{
	struct corruption_tables t = { 0 };
	unsigned long count[CORRUPTION_KINDS][OUTCOMES] = { 0 }, missed = 0;
	struct buf base = { 0 };
	struct fault f;
	char *want;

	if (argc < 3)
		errx(2, "usage: corruption DATABASE COUNT [SEED [FIRST]]");
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	uint64_t first = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
	if (file_read(argv[1], &base, &f) < 0)
		errx(2, "%s", f.text);
	corruption_learn(&t, argv[1]);
	want = sound_contents(argv[1], &t);
	for (uint64_t i = first; i < first + strtoull(argv[2], NULL, 10); i++) {
		size_t kind;
		char *what = corrupt(&t, &base, seed * 1000003 + i, &kind);
		enum outcome outcome = judge(&t, want);

		count[kind][outcome]++;
		if (outcome == MISSED) {
			missed++;
			printf("missed: %llu: %s\n", (unsigned long long)i, what);
		}
		free(what);
	}
	for (size_t kind = 0; kind < CORRUPTION_KINDS; kind++) {
		printf("%s:", corruption_names[kind]);
		for (int i = 0; i < OUTCOMES; i++)
			printf("%s %lu %s", i ? "," : "", count[kind][i], outcome_names[i]);
		putchar('\n');
	}
	corruption_forget(&t);
	buf_free(&base);
	free(want);
	return missed > 0;
}
