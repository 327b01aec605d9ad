/*
 * The metric table, from the text of share/metrics.csv; see metric.h.
 */
#include <stdlib.h>
#include <string.h>

#include "record/metric.h"
#include "base/paths.h"
#include "io/csv_reader.h"

enum { NAME, UNIT, BETTER, CLASS, MEANING, FIELDS };

struct metrics {
	struct metric *metric;
	size_t count, cap;
	bool header_seen;
};

static const char *const better_names[] = {
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
	[BETTER_NEITHER] = "none",
};

bool better_parse(struct text t, enum better *out)
{
	for (size_t i = 0; i < COUNT(better_names); i++)
		if (text_is(t, better_names[i])) {
			*out = (enum better)i;
			return true;
		}
	return false;
}

static int on_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct metrics *m = ctx;
	enum better better;

	if (count != FIELDS)
		return fault_set(f, "metrics.csv:%d: %zu fields instead of %d", (int)line,
		    count, FIELDS);
	if (!m->header_seen) {
		m->header_seen = true;
		return 0;
	}
	if (!better_parse(field[BETTER], &better))
		return fault_set(
		    f, "metrics.csv:%d: better is lower, higher or none", (int)line);
	*VEC_ADD(m->metric, m->count, m->cap) = (struct metric){
		.name = mem_text(field[NAME].ptr, field[NAME].len),
		.unit = mem_text(field[UNIT].ptr, field[UNIT].len),
		.meaning = mem_text(field[MEANING].ptr, field[MEANING].len),
		.better = better,
		.is_count = text_is(field[CLASS], "count"),
	};
	return 0;
}

/* Parses the table's text. Returns NULL and sets the message on a bad row. */
static struct metrics *metrics_parse(struct text csv, struct fault *f)
{
	struct metrics *m = mem_zero(1, sizeof(*m));
	struct sheet *sheet = sheet_open(on_record, m);

	sheet_begin(sheet, "metrics.csv");
	if (sheet_feed(sheet, csv.ptr, csv.len, f) < 0 || sheet_end(sheet, f) < 0) {
		metrics_free(m);
		m = NULL;
	}
	sheet_close(sheet);
	return m;
}

struct metrics *metrics_open(struct fault *f)
{
	struct buf text = { 0 };
	struct metrics *m = NULL;

	if (share_read("metrics.csv", &text, f) == 0)
		m = metrics_parse((struct text){ text.ptr, text.len }, f);
	buf_free(&text);
	return m;
}

const struct metric *metrics_find(const struct metrics *m, struct text name)
{
	for (size_t i = 0; i < m->count; i++)
		if (text_is(name, m->metric[i].name))
			return &m->metric[i];
	return NULL;
}

enum better metrics_better(const struct metrics *m, struct text name, struct text unit)
{
	const struct metric *known = metrics_find(m, name);

	if (known)
		return known->better;
	return unit.len > 2 && memcmp(unit.ptr + unit.len - 2, "/s", 2) == 0 ? BETTER_HIGHER
	                                                                     : BETTER_LOWER;
}

void metrics_free(struct metrics *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->count; i++) {
		free(m->metric[i].name);
		free(m->metric[i].unit);
		free(m->metric[i].meaning);
	}
	free(m->metric);
	free(m);
}
