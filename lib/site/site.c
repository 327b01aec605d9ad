/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds a site; see site.h. */
#include <stdlib.h>
#include <unistd.h>

#include "base/paths.h"
#include "record/anonymize.h"
#include "site/site.h"
#include "site/site_html.h"
#include "site/site_pages.h"
#include "store/store_points.h"

/* Copies the style and the scripts, which are installed with the programs. */
static int write_shared(struct site_dir *d, struct fault *f)
{
	static const char *const name[] = { "site.css", "site.js", "chart.js",
		"compare.js" };
	struct buf b = { 0 };
	int status = 0;

	for (size_t i = 0; i < COUNT(name) && status == 0; i++) {
		char *path = str_format("site/%s", name[i]);

		b.len = 0;
		status = share_read(path, &b, f);
		if (status == 0)
			site_dir_put(d, name[i], &b);
		free(path);
	}
	buf_free(&b);
	return status;
}

/* Returns the path of the cache, which differs with the key of the anonymizer, so that it
 * never has results with other names; allocated. */
static char *results_file(const struct site_model *m, const struct site_dir *d)
{
	char *name = str_format("results%s%s", m->mark ? "-" : "", m->mark ? m->mark : ""),
	     *path = site_dir_state(d, name);

	free(name);
	return path;
}

/* Refuses to anonymize a site that has results with the original names. 0 or -1. */
static int check_anonymous(const struct site_dir *d, const char *dir, struct fault *f)
{
	char *results = site_dir_state(d, "results");
	bool there = access(results, F_OK) == 0;

	free(results);
	return !there ? 0
	              : fault_set(f,
	                    "%s: has a site that was built without --anonymize; use "
	                    "another directory",
	                    dir);
}

/* Begins to replace names, if the options say so. 0 or -1. */
static int open_names(struct site_model *m, struct store *store, struct fault *f)
{
	if (!m->opts->anonymize)
		return 0;
	m->names = anonymizer_open(m->opts->key, f);
	if (!m->names)
		return -1;
	m->mark = anonymize_cell(m->names, TEXT("seal"), TEXT(""), TEXT("site")).ptr;
	return store_points_anonymize(store, m->names, f);
}

/* Reads the store into the model. 0 or -1. */
static int read_store(
    struct site_model *m, struct store *store, const struct site_dir *d, struct fault *f)
{
	char *results = results_file(m, d);
	int status = site_cache_load(&m->cache, results, store, f);

	if (status == 0)
		status = site_cache_save(&m->cache, results, f);
	free(results);
	if (status == 0)
		status = site_model_order(m, f);
	if (status == 0)
		status = site_model_build(m, f);
	if (status == 0)
		status = site_model_since(m, store, f);
	if (status == 0)
		status = site_model_samples(m, store, f);
	return status;
}

static int write_all(
    const struct site_model *m, struct store *store, struct site_dir *d, struct fault *f)
{
	if (write_shared(d, f) < 0 || site_write_machines(m, store, d, f) < 0)
		return -1;
	site_write_benchmarks(m, d);
	site_write_profiles(m, d);
	site_write_compare(m, d);
	site_write_places(m, d);
	site_write_changes(m, d);
	site_write_badges(m, d);
	site_write_index(m, d);
	return 0;
}

static int build(struct site_model *m, struct store *store, struct site_dir *d,
    struct site_built *built, struct fault *f)
{
	int status;

	if (store_points_begin(store, f) < 0)
		return -1;
	status = read_store(m, store, d, f);
	if (status == 0) {
		site_model_find(m);
		status = write_all(m, store, d, f);
	}
	store_points_end(store);
	built->series = m->count;
	built->points = m->total;
	built->runs = m->cache.visits;
	built->read = m->cache.read;
	built->unordered = m->unordered;
	return status;
}

int site_build(const struct site_opts *opts, struct site_built *built, struct fault *f)
{
	struct site_opts own = *opts;
	struct site_model m = { .opts = &own };
	struct store *store = store_open(opts->store, STORE_READ, opts->wait_ns, f);
	struct site_dir *d = NULL;
	int status = -1;

	own.title = own.title ? own.title : "Benchmarks";
	*built = (struct site_built){ 0 };
	if (store && (m.metrics = metrics_open(f)) && open_names(&m, store, f) == 0 &&
	    (!own.order || (m.order = commit_order_read(own.order, f)))) {
		char *format = str_format(
		    "%s%s%s", SITE_FORMAT, m.mark ? " " : "", m.mark ? m.mark : "");

		d = site_dir_open(opts->dir, format, f);
		free(format);
		if (d && (!m.names || check_anonymous(d, opts->dir, f) == 0))
			status = build(&m, store, d, built, f);
	}
	if (status == 0)
		status = site_dir_close(d, &built->written, &built->removed, f);
	else
		site_dir_abandon(d);
	site_model_free(&m);
	store_close(store);
	if (m.names)
		anonymizer_close(m.names);
	return status;
}
