/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the results of runs between builds of a site; see site_cache.h. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "record/factors.h"
#include "site/site_cache.h"
#include "site/site_record_priv.h"
#include "sys/temp_file.h"

enum { RUNS_AT_ONCE = 64 };
#define RECORD_SERIES UINT64_C(0x3153697465537231) /* also the version of the format */
#define RECORD_RUN UINT64_C(0x3152697465537231)
#define HASH_SEED 7
#define COMPACT_LEAST (1 << 16) /* bytes of the log that are not worth removing */

static void append_record(struct site_cache *c, uint64_t kind, const struct buf *content)
{
	struct site_record_head head = { kind, content->len,
		text_hash(text_in(content), HASH_SEED) };

	buf_put(&c->log, &head, sizeof(head));
	buf_put(&c->log, content->ptr, content->len);
	site_record_pad(&c->log);
	c->changed = true;
}

static size_t note_record(struct site_cache *c, struct text run, struct text seal)
{
	struct buf key = { 0 };
	size_t number;

	site_record_put_name(&key, run);
	buf_text(&key, seal);
	number = intern_add(&c->runs, text_in(&key));
	if (number == c->records)
		*VEC_ADD(c->record, c->records, c->record_cap) = SIZE_MAX;
	buf_free(&key);
	return number;
}

/* Adds the series of a record. Returns false if the record is damaged. */
static bool learn_series(struct site_cache *c, struct text content)
{
	struct site_record_reader r = site_record_read(content);

	for (size_t count = site_record_take_length(&r); count && !r.damaged; count--) {
		struct text key = site_record_take_name(&r);

		if (r.damaged || !site_record_names_series(key))
			return false;
		intern_add(&c->series, key);
	}
	return !r.damaged && r.p == r.end;
}

/* Notes the run of a record. Returns false if the record is damaged. */
static bool learn_run(struct site_cache *c, struct text content, size_t at)
{
	struct site_record_reader r = site_record_read(content);
	struct text run = site_record_take_name(&r), seal = site_record_take_name(&r);
	size_t number;

	if (r.damaged || !site_record_has_visits(r, c->series.count))
		return false;
	number = note_record(c, run, seal);
	c->record[number] = at;
	return true;
}

/*
 * Notes the records of a log, up to the first that is damaged. The hash of a record only
 * detects accidents: whoever can write the file can also write a hash that fits, so nothing
 * in a record may lead outside it.
 */
static void learn_log(struct site_cache *c)
{
	size_t at = 0;
	struct site_record_head head;

	while (c->log.len - at >= sizeof(head)) {
		struct text content = { c->log.ptr + at + sizeof(head), 0 };

		memcpy(&head, c->log.ptr + at, sizeof(head));
		if ((head.kind != RECORD_SERIES && head.kind != RECORD_RUN) ||
		    head.bytes > c->log.len - at - sizeof(head) ||
		    site_record_padded(head.bytes) > c->log.len - at - sizeof(head))
			break;
		content.len = head.bytes;
		if (text_hash(content, HASH_SEED) != head.hash ||
		    !(head.kind == RECORD_SERIES ? learn_series(c, content)
		                                 : learn_run(c, content, at)))
			break;
		at += sizeof(head) + site_record_padded(head.bytes);
	}
	c->whole = at < c->log.len;
	c->log.len = c->old = at;
}

/* A visit that is being read from the store. */
struct new_visit {
	char *env, *commit;
	struct site_entry *entry;
	size_t count, cap;
};

struct site_run {
	int64_t id;
	char *run, *at, *seal;
	size_t record; /* number of its record */
};

/* Reading a range of runs from the store. */
struct cache_reading {
	struct site_cache *cache;
	struct site_run *run;
	size_t runs, cap;
	size_t current; /* the run being read, or SIZE_MAX */
	struct new_visit *visit;
	size_t visits, visit_cap;
	struct buf factors, key;
	size_t known; /* series that have records */
};

static void note_run(void *ctx, const struct store_point_run *r)
{
	struct cache_reading *g = ctx;

	*VEC_ADD(g->run, g->runs, g->cap) =
	    (struct site_run){ r->id, mem_text(r->run.ptr, r->run.len),
		    mem_text(r->at.ptr, r->at.len), mem_text(r->seal.ptr, r->seal.len),
		    note_record(g->cache, r->run, r->seal) };
}

/* Appends the records of the current run, and of series that are new. */
static void end_run(struct cache_reading *g)
{
	struct site_cache *c = g->cache;
	const struct site_run *run = &g->run[g->current];
	struct buf b = { 0 };

	if (g->known < c->series.count) {
		site_record_put_length(&b, c->series.count - g->known);
		for (; g->known < c->series.count; g->known++)
			site_record_put_name(&b, intern_text(&c->series, g->known));
		append_record(c, RECORD_SERIES, &b);
		b.len = 0;
	}
	site_record_put_name(&b, text_of(run->run));
	site_record_put_name(&b, text_of(run->seal));
	site_record_put_length(&b, g->visits);
	for (size_t i = 0; i < g->visits; i++) {
		struct new_visit *v = &g->visit[i];

		site_record_put_name(&b, text_of(v->env));
		site_record_put_name(&b, text_of(v->commit));
		site_record_put_length(&b, v->count);
		buf_put(&b, v->entry, v->count * sizeof(*v->entry));
		free(v->env);
		free(v->commit);
		free(v->entry);
	}
	c->record[run->record] = c->log.len;
	append_record(c, RECORD_RUN, &b);
	buf_free(&b);
	g->visits = 0;
}

/* Appends a factor unless it is the side of a comparison of a subject with itself. */
static void keep_factor(void *ctx, struct factor f)
{
	struct buf *b = ctx;

	if (text_is(f.name, COLUMN_AA))
		return;
	site_record_put_name(b, f.name);
	site_record_put_name(b, f.value);
}

static struct new_visit *visit_of(struct cache_reading *g, const struct store_point *p)
{
	struct new_visit *v;

	for (size_t i = g->visits; i-- > 0;)
		if (text_is(p->env, g->visit[i].env) &&
		    text_is(p->commit, g->visit[i].commit))
			return &g->visit[i];
	v = VEC_ADD(g->visit, g->visits, g->visit_cap);
	*v = (struct new_visit){ .env = mem_text(p->env.ptr, p->env.len),
		.commit = mem_text(p->commit.ptr, p->commit.len) };
	return v;
}

/* Packs the names of the series of a point. */
static void pack_names(const struct store_point *p, struct buf *key, struct buf *factors)
{
	struct text name[SITE_NAMES] = { [SITE_HOST] = p->host,
		[SITE_KIND] = p->kind,
		[SITE_BENCH] = p->bench,
		[SITE_METRIC] = p->metric,
		[SITE_UNIT] = p->unit };

	factors->len = key->len = 0;
	if (!factors_read(p->factors, keep_factor, factors))
		factors->len = 0;
	name[SITE_FACTORS] = text_in(factors);
	for (size_t i = 0; i < SITE_NAMES; i++)
		site_record_put_name(key, name[i]);
}

long site_cache_find(const struct site_cache *c, const struct store_point *p)
{
	struct buf key = { 0 }, factors = { 0 };
	long number;

	pack_names(p, &key, &factors);
	number = intern_find(&c->series, text_in(&key));
	buf_free(&key);
	buf_free(&factors);
	return number;
}

static void note_point(void *ctx, const struct store_point *p)
{
	struct cache_reading *g = ctx;
	struct new_visit *v;

	while (g->run[g->current].id != p->run) {
		end_run(g);
		g->current++;
	}
	pack_names(p, &g->key, &g->factors);
	v = visit_of(g, p);
	*VEC_ADD(v->entry, v->count, v->cap) = (struct site_entry){ .value = p->value,
		.lo = (float)p->lo,
		.hi = (float)p->hi,
		.series = (uint32_t)intern_add(
		    &g->cache->series, text_in(&g->key)),
		.n = (uint32_t)p->n };
}

/* Reads the runs that have no record, several adjacent ones at a time. */
static int read_missing(struct cache_reading *g, struct store *s, struct fault *f)
{
	struct site_cache *c = g->cache;

	for (size_t i = 0, end; i < g->runs; i = end) {
		end = i + 1;
		if (c->record[g->run[i].record] != SIZE_MAX && *g->run[i].seal)
			continue;
		while (end < g->runs && end - i < RUNS_AT_ONCE &&
		       (c->record[g->run[end].record] == SIZE_MAX || !*g->run[end].seal))
			end++;
		g->current = i;
		if (store_points_read(
		        s, g->run[i].id, g->run[end - 1].id, note_point, g, f) < 0)
			return -1;
		for (; g->current < end; g->current++)
			end_run(g);
		c->read += end - i;
	}
	return 0;
}

/* Adds the visits of a run from its record. */
static void add_visits(struct site_cache *c, const struct site_run *run)
{
	size_t at = c->record[run->record];
	struct site_record_head head;
	struct site_record_reader r;

	memcpy(&head, c->log.ptr + at, sizeof(head));
	r = site_record_read((struct text){ c->log.ptr + at + sizeof(head), head.bytes });
	site_record_take_name(&r);
	site_record_take_name(&r);
	for (size_t count = site_record_take_length(&r); count && r.p < r.end; count--) {
		struct text env = site_record_take_name(&r),
		            commit = site_record_take_name(&r);
		size_t entries = site_record_take_length(&r);

		*VEC_ADD(c->visit, c->visits, c->visit_cap) = (struct site_visit){
			.run = str_copy(run->run),
			.at = str_copy(run->at),
			.env = mem_text(env.ptr, env.len),
			.commit = mem_text(commit.ptr, commit.len),
			.entries = entries,
			.start = (size_t)(r.p - c->log.ptr),
		};
		r.p += entries * sizeof(struct site_entry);
	}
}

static int by_time_of_run(const void *a, const void *b)
{
	const struct site_run *x = a, *y = b;
	int order = strcmp(x->at, y->at);

	return order ? order : (x->id > y->id) - (x->id < y->id);
}

static size_t record_length(const struct site_cache *c, size_t at)
{
	struct site_record_head head;

	memcpy(&head, c->log.ptr + at, sizeof(head));
	return sizeof(head) + site_record_padded(head.bytes);
}

/* Rewrites the log with only the records in use, if others take half of it. */
static void compact(struct site_cache *c, const struct cache_reading *g)
{
	struct buf old = c->log, b = { 0 };
	size_t used = 0;

	for (size_t i = 0; i < g->runs; i++)
		used += record_length(c, c->record[g->run[i].record]);
	if (old.len < COMPACT_LEAST || used * 2 > old.len)
		return;
	c->log = (struct buf){ 0 };
	site_record_put_length(&b, c->series.count);
	for (size_t i = 0; i < c->series.count; i++)
		site_record_put_name(&b, intern_text(&c->series, i));
	append_record(c, RECORD_SERIES, &b);
	for (size_t i = 0; i < g->runs; i++) {
		size_t *at = &c->record[g->run[i].record], to = c->log.len;
		struct site_record_head head;

		memcpy(&head, old.ptr + *at, sizeof(head));
		buf_put(
		    &c->log, old.ptr + *at, sizeof(head) + site_record_padded(head.bytes));
		*at = to;
	}
	c->whole = c->changed = true;
	buf_free(&old);
	buf_free(&b);
}

int site_cache_load(
    struct site_cache *c, const char *path, struct store *s, struct fault *f)
{
	struct cache_reading g = { .cache = c };
	int status;

	if (access(path, F_OK) == 0 && file_read(path, &c->log, f) < 0)
		return -1;
	learn_log(c);
	g.known = c->series.count;
	status = store_points_runs(s, note_run, &g, f);
	if (status == 0)
		status = read_missing(&g, s, f);
	if (status == 0 && g.runs) {
		compact(c, &g);
		qsort(g.run, g.runs, sizeof(*g.run), by_time_of_run);
	}
	for (size_t i = 0; i < g.runs && status == 0; i++)
		add_visits(c, &g.run[i]);
	for (size_t i = 0; i < g.runs; i++) {
		free(g.run[i].run);
		free(g.run[i].at);
		free(g.run[i].seal);
	}
	free(g.run);
	free(g.visit);
	buf_free(&g.factors);
	buf_free(&g.key);
	return status;
}

static int append_log(const struct site_cache *c, const char *path, struct fault *f)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
	struct text rest = { c->log.ptr + c->old, c->log.len - c->old };

	if (fd < 0)
		return fault_errno(f, "%s", path);
	if (file_write_all(fd, rest) < 0) {
		fault_errno(f, "%s", path);
		close(fd);
		return -1;
	}
	return close(fd) < 0 ? fault_errno(f, "%s", path) : 0;
}

int site_cache_save(struct site_cache *c, const char *path, struct fault *f)
{
	if (!c->changed && !c->whole)
		return 0;
	return c->whole
	           ? temp_file_write(path, 0, text_in(&c->log), f)
		   : append_log(c, path, f);
}

void site_visit_free(struct site_visit *v)
{
	free(v->run);
	free(v->at);
	free(v->env);
	free(v->commit);
}

void site_cache_free(struct site_cache *c)
{
	for (size_t i = 0; i < c->visits; i++)
		site_visit_free(&c->visit[i]);
	free(c->visit);
	free(c->record);
	buf_free(&c->log);
	intern_free(&c->series);
	intern_free(&c->runs);
}

const struct site_entry *site_cache_entries(
    const struct site_cache *c, const struct site_visit *v)
{
	return (const struct site_entry *)(const void *)(c->log.ptr + v->start);
}

void site_cache_names(
    const struct site_cache *c, size_t series, struct text name[SITE_NAMES])
{
	struct text key = intern_text(&c->series, series);
	struct site_record_reader r = site_record_read(key);

	for (size_t i = 0; i < SITE_NAMES; i++)
		name[i] = site_record_take_name(&r);
}

const char *site_cache_text(const char *p, struct text *out)
{
	uint64_t len;

	memcpy(&len, p, sizeof(len));
	*out = (struct text){ p + sizeof(len), (size_t)len };
	return p + sizeof(len) + site_record_padded((size_t)len);
}
