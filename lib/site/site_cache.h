/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of the runs of a store, kept in a file between builds. A run whose seal is
 * unchanged is not read again.
 *
 * The file is a log of records: 8 bytes the kind and format, 8 bytes the length, 8 bytes
 * text_hash of the content, and the content, padded to 8 bytes. A damaged or incomplete
 * record ends the log. A record of series contains names, which are numbered in order of
 * appearance. A record of a run contains its name, its seal and its results. Numbers are in
 * the byte order of the machine.
 */
#ifndef SITE_SITE_CACHE_H
#define SITE_SITE_CACHE_H

#include "base/intern.h"
#include "store/store_points.h"

/* The columns that identify a series. */
enum site_name {
	SITE_HOST,
	SITE_KIND,
	SITE_BENCH,
	SITE_FACTORS,
	SITE_METRIC,
	SITE_UNIT,
	SITE_NAMES
};

/* The result of a series in a run. */
struct site_entry {
	double value; /* NAN: no sample counts */
	float lo, hi; /* the interval of the median, or NAN */
	uint32_t series, n;
};

/* A run, or the part of a run in one environment and at one commit. */
struct site_visit {
	char *run, *at, *env, *commit; /* owned */
	size_t entries, start;         /* in the bytes of the log */
};

struct site_cache {
	struct intern series;     /* names, packed; see site_cache_names */
	struct site_visit *visit; /* of all runs in the store, by time */
	size_t visits, visit_cap;
	size_t read;  /* runs that were read from the store */
	bool changed; /* the log must be written */
	bool whole;   /* ... from its beginning */
	size_t old;   /* bytes of the log that the file has */
	struct buf log;
	struct intern runs; /* names and seals of the records */
	size_t *record;     /* by run: where its newest record begins */
	size_t records, record_cap;
};

/* Reads the log, if there is one, and the runs of the store that it lacks. Returns 0, or -1
 * and the message. */
int site_cache_load(
    struct site_cache *c, const char *path, struct store *s, struct fault *f);
/* Writes the log, if it has changed. Returns 0, or -1 and the message. */
int site_cache_save(struct site_cache *c, const char *path, struct fault *f);
void site_cache_free(struct site_cache *c);
/* Frees the strings of a visit. */
void site_visit_free(struct site_visit *v);
/* Returns the results of a visit. */
const struct site_entry *site_cache_entries(
    const struct site_cache *c, const struct site_visit *v);
/* Sets the names of a series. They live as long as the cache. */
void site_cache_names(
    const struct site_cache *c, size_t series, struct text name[SITE_NAMES]);
/* Returns the number of the series of a point of the store, or -1. */
long site_cache_find(const struct site_cache *c, const struct store_point *p);
/* Reads one string of a packed list, such as the factors of a series, which are name,
 * value, name, value ... Returns where the next one begins. */
const char *site_cache_text(const char *p, struct text *out);

#endif
