/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the JSON of sadf, mpstat and iostat. It has a list of statistics, one for each
 * time, whose members are activities: objects with a number for each metric, arrays of such
 * objects, whose strings are labels, or groups of activities.
 */
#include <math.h>

#include "base/intern.h"
#include "observe/observed.h"
#include "record/provenance.h"
#include "text/stamp.h"

/* The names lack most units. A kB is 1024 bytes, and a block or sector has 512. */
static const struct observed_rule json_rules[] = {
	{ "", "", "-percent", { "%", 1, 0 } },
	{ "", "%", "", { "%", 1, 0 } },
	{ "cpu-load", "", "", { "%", 1, 0 } },
	{ "node-load", "", "", { "%", 1, 0 } },
	{ "avg-cpu", "", "", { "%", 1, 0 } },
	{ "psi-cpu", "", "", { "%", 1, 0 } },
	{ "psi-io", "", "", { "%", 1, 0 } },
	{ "psi-mem", "", "", { "%", 1, 0 } },
	{ "disk", "util", "", { "%", 1, 0 } },
	{ "disk", "", "rrqm", { "%", 1, 0 } },
	{ "disk", "", "wrqm", { "%", 1, 0 } },
	{ "disk", "", "drqm", { "%", 1, 0 } },
	{ "disk", "kB_", "/s", { "B/s", 1024, 0 } },
	{ "disk", "MB_", "/s", { "B/s", 1024 * 1024, 0 } },
	{ "disk", "kB_", "", { "B", 1024, 0 } },
	{ "disk", "MB_", "", { "B", 1024 * 1024, 0 } },
	{ "", "", "kB/s", { "B/s", 1024, 0 } },
	{ "", "", "MB/s", { "B/s", 1024 * 1024, 0 } },
	{ "", "", "/s", { "1/s", 1, 0 } },
	{ "disk", "", "await", { "ns", 1, 6 } },
	{ "disk", "", "req-sz", { "B", 1024, 0 } },
	{ "disk", "avgrq-sz", "", { "B", 512, 0 } },
	{ "disk", "", "qu-sz", { "1", 1, 0 } },
	{ "disk", "", "_sec", { "B/s", 512, 0 } },
	{ "disk", "", "kB", { "B/s", 1024, 0 } },
	{ "disk", "tps", "", { "1/s", 1, 0 } },
	{ "process-and-context-switch", "", "", { "1/s", 1, 0 } },
	{ "interrupts", "", "", { "1/s", 1, 0 } },
	{ "sum-interrupts", "", "", { "1/s", 1, 0 } },
	{ "intr", "", "", { "1/s", 1, 0 } },
	{ "swap-pages", "", "", { "1/s", 1, 0 } },
	{ "paging", "pgpg", "", { "B/s", 1024, 0 } },
	{ "paging", "", "", { "1/s", 1, 0 } },
	{ "io", "tps", "", { "1/s", 1, 0 } },
	{ "io-reads", "rtps", "", { "1/s", 1, 0 } },
	{ "io-reads", "bread", "", { "B/s", 512, 0 } },
	{ "io-writes", "wtps", "", { "1/s", 1, 0 } },
	{ "io-writes", "bwrtn", "", { "B/s", 512, 0 } },
	{ "io-discard", "dtps", "", { "1/s", 1, 0 } },
	{ "io-discard", "bdscd", "", { "B/s", 512, 0 } },
	{ "memory", "", "", { "B", 1024, 0 } },
	{ "hugepages", "", "", { "B", 1024, 0 } },
	{ "kernel", "", "", { "1", 1, 0 } },
	{ "queue", "", "", { "1", 1, 0 } },
	{ "serial", "", "", { "1/s", 1, 0 } },
	{ "net-dev", "", "kB", { "B/s", 1024, 0 } },
	{ "net-sock", "", "", { "1", 1, 0 } },
	{ "net-sock6", "", "", { "1", 1, 0 } },
	{ "softnet", "blg_len", "", { "1", 1, 0 } },
	{ "softnet", "", "", { "1/s", 1, 0 } },
	{ "cpu-frequency", "", "", { "Hz", 1, 6 } },
	{ "filesystems", "MB", "", { "B", 1024 * 1024, 0 } },
	{ "filesystems", "I", "", { "1", 1, 0 } },
	{ "", "", "", { "", 1, 0 } },
};
static const struct observed_unit net_rate = { "1/s", 1, 0 };
/* Numbers that are labels. */
static const char *const number_labels[] = { "line", "number" };

static bool sysstat_recognize(const struct source *s)
{
	return doc_is_array(doc_member(doc_member(s->doc, "sysstat"), "hosts"));
}

/* Which members of activities have numbers, and which have strings. */
struct member_kinds {
	struct intern set; /* "n" or "s", and the names of the activity and the member */
	struct buf key;
};

struct sysstat_reading {
	struct row_builder *out;
	const char *name; /* of the file */
	struct member_kinds *kinds;
	/* Of the host: */
	struct text host;
	struct observed_series series;
	struct observed_days days;
	char begin[PROVENANCE_TIME_MAX]; /* "": unknown */
};

/* An activity: an object whose numbers are values. */
struct activity {
	const struct activity *parent; /* whose labels it also has; NULL: there is none */
	const struct sysstat_reading *reading;
	struct text name;
	const struct json_t *object;
};

static bool is_label(struct text name)
{
	for (size_t i = 0; i < COUNT(number_labels); i++)
		if (text_is(name, number_labels[i]))
			return true;
	return false;
}

static struct observed_unit json_unit(struct text activity, struct text name)
{
	struct observed_unit unit = observed_rule_find(json_rules, activity, name);

	return *unit.unit || !text_begins(activity, "net-") ? unit : net_rate;
}

/* Sets a factor to a label. */
static int set_label(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	const struct activity *a = ctx;
	struct text label;

	(void)f;
	if (doc_text(v, &label) || is_label(name))
		from_factor(a->reading->out, name, v);
	return 0;
}

static int put_member(void *ctx, struct text name, const struct json_t *v, struct fault *f);

/* Stores the key of a member of a kind, which lives until the next one. */
static struct text kind_key(
    struct member_kinds *kinds, char kind, struct text activity, struct text name)
{
	kinds->key.len = 0;
	buf_byte(&kinds->key, kind);
	buf_text(&kinds->key, activity);
	buf_byte(&kinds->key, '/');
	buf_text(&kinds->key, name);
	return text_in(&kinds->key);
}

/* Returns 0, or -1 and the message if a member is a number in one place and a string in
 * another, which would be read as a label. */
static int check_kind(
    const struct activity *a, struct text name, const struct json_t *v, struct fault *f)
{
	struct member_kinds *kinds = a->reading->kinds;
	struct text ignored;
	bool is_text = doc_text(v, &ignored);
	char kind = is_text ? 's' : 'n', other = is_text ? 'n' : 's';

	if (intern_find(&kinds->set, kind_key(kinds, other, a->name, name)) >= 0)
		return fault_set(f,
		    "%s: '%.*s' of '%.*s' is a string in one place and a number in "
		    "another: the file is damaged",
		    a->reading->name, (int)name.len, name.ptr, (int)a->name.len,
		    a->name.ptr);
	intern_add(&kinds->set, kind_key(kinds, kind, a->name, name));
	return 0;
}

static int put_number(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	const struct activity *a = ctx;
	struct text label;
	double x;

	if (is_label(name))
		return 0;
	if ((doc_number(v, &x) || doc_text(v, &label)) && check_kind(a, name, v, f) < 0)
		return -1;
	if (!doc_number(v, &x) && !doc_is_null(v))
		return 0;
	return observed_put(a->reading->out, a->name, name, json_unit(a->name, name),
	    doc_number(v, &x) ? x : NAN, f);
}

static void set_labels(const struct activity *a)
{
	struct fault ignored;

	if (a->parent)
		set_labels(a->parent);
	doc_each(a->object, set_label, (void *)a, &ignored);
}

/* Adds the rows of an object: those of its numbers, with its strings as labels, and then
 * those of its members. */
static int put_activity(const struct activity *a, struct fault *f)
{
	struct row_builder *out = a->reading->out;
	int64_t sample = out->row.sample, t = out->row.t;

	row_builder_clear(out);
	row_builder_set(out, COL_HOST, a->reading->host);
	row_builder_set(out, COL_TIME, text_of(a->reading->begin));
	out->row.sample = sample;
	out->row.t = t;
	set_labels(a);
	return doc_each(a->object, put_number, (void *)a, f) < 0
	           ? -1
		   : doc_each(a->object, put_member, (void *)a, f);
}

/* Adds the rows of a member: an object, or an array of objects. */
static int put_member(void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	const struct activity *parent = ctx;
	struct activity a = {
		.parent = parent, .reading = parent->reading, .name = name, .object = v
	};

	if (!doc_is_array(v))
		return put_activity(&a, f);
	for (size_t i = 0; i < doc_length(v); i++) {
		a.object = doc_item(v, i);
		if (put_activity(&a, f) < 0)
			return -1;
	}
	return 0;
}

static int put_statistic(
    void *ctx, struct text name, const struct json_t *v, struct fault *f)
{
	return text_is(name, "timestamp") ? 0 : put_member(ctx, name, v, f);
}

/* The time of statistics. */
struct moment {
	bool has_time, is_utc;
	int64_t seconds, interval_s;
};

/* Parses "2026-11-29T22:41:38", with or without a zone, which is ignored: all times of a
 * file have the same. */
static bool parse_moment(struct text t, int64_t *seconds)
{
	int64_t ns;
	int digits;

	if (t.len < strlen("2026-11-29T22:41:38"))
		return false;
	t.len = strlen("2026-11-29T22:41:38");
	if (!stamp_parse(t, &ns, &digits))
		return false;
	*seconds = ns / 1000000000;
	return true;
}

/* Returns the time of an element of statistics: that of sadf is an object, and those of
 * mpstat and iostat are strings, which may be times of day. */
static struct moment moment_of(struct sysstat_reading *r, const struct json_t *statistics)
{
	const struct json_t *timestamp = doc_member(statistics, "timestamp");
	struct text date = from_text(timestamp, "date"),
	            time = from_text(timestamp, "time"), rest;
	struct moment m = { .interval_s = from_count(doc_member(timestamp, "interval")) };
	double utc;

	if (date.len) {
		m.has_time =
		    parse_moment(text_of(arena_format(&r->out->texts, "%.*sT%.*s",
		                     (int)date.len, date.ptr, (int)time.len, time.ptr)),
		        &m.seconds);
		m.is_utc = doc_number(doc_member(timestamp, "utc"), &utc) && utc == 1;
	} else if (doc_text(timestamp, &rest)) {
		m.has_time = parse_moment(rest, &m.seconds);
		time = line_word(&rest);
		if (!m.has_time && observed_clock(time, &rest, &m.seconds)) {
			m.has_time = true;
			m.seconds = observed_day_time(&r->days, m.seconds);
		}
	}
	return m;
}

/* Begins the series at the time before which the first interval was observed. */
static void begin_series(struct sysstat_reading *r, const struct moment *m)
{
	int64_t seconds = m->seconds;

	if (r->series.has_begin)
		return;
	if (m->interval_s > 0 && m->interval_s <= seconds)
		seconds -= m->interval_s;
	observed_begin(&r->series, seconds);
	if (m->is_utc && seconds >= 0)
		provenance_time(r->begin, seconds * 1000000000);
}

/* Returns whether iostat wrote statistics: the first one has means since the machine was
 * started. */
static bool is_iostat(const struct json_t *statistics)
{
	const struct json_t *disk = doc_item(doc_member(statistics, "disk"), 0);

	return doc_member(statistics, "avg-cpu") || doc_member(disk, "disk_device");
}

static int put_statistics(struct sysstat_reading *r, const struct json_t *statistics,
    size_t number, struct fault *f)
{
	struct row *row = &r->out->row;
	bool since_boot = number == 0 && is_iostat(statistics);
	struct moment m = moment_of(r, statistics);

	row->sample = m.has_time ? 0 : (int64_t)number - is_iostat(statistics);
	row->t = ROW_NONE;
	if (m.has_time)
		begin_series(r, &m);
	if (since_boot)
		row->sample = -1;
	else if (m.has_time) {
		row->t = observed_offset(&r->series, m.seconds);
		if (row->t == ROW_NONE)
			return fault_set(f, "%s: a time before the first one", r->name);
	}
	return doc_each(statistics, put_statistic, &(struct activity){ .reading = r }, f);
}

static int put_host(struct sysstat_reading *r, const struct json_t *host, struct fault *f)
{
	const struct json_t *statistics = doc_member(host, "statistics");

	r->host = from_text(host, "nodename");
	r->series = (struct observed_series){ 0 };
	r->days = (struct observed_days){ 0 };
	r->begin[0] = '\0';
	for (size_t i = 0; i < doc_length(statistics); i++)
		if (put_statistics(r, doc_item(statistics, i), i, f) < 0)
			return -1;
	return 0;
}

static int sysstat_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	const struct json_t *hosts = doc_member(doc_member(s->doc, "sysstat"), "hosts");
	struct member_kinds kinds = { 0 };
	struct sysstat_reading r = { .out = out, .name = s->name, .kinds = &kinds };
	int status = 0;

	for (size_t i = 0; i < doc_length(hosts) && status == 0; i++)
		status = put_host(&r, doc_item(hosts, i), f);
	intern_free(&kinds.set);
	buf_free(&kinds.key);
	return status;
}

const struct format format_sysstat = { .name = "sysstat",
	.meaning = "JSON of sysstat (sadf -j, mpstat and iostat -o JSON)",
	.is_json = true,
	.recognize = sysstat_recognize,
	.read = sysstat_read };
