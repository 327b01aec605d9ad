/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of records; see page_rows.h.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/from.h"
#include "convert/page_rows.h"
#include "record/provenance.h"
#include "text/units.h"

enum { STARS_MAX = 4 };

bool page_rows_whole(struct text t, int64_t *out)
{
	double x;

	if (!number_parse(t, &x) || !(x >= 0 && x < 0x1p63) || x != floor(x))
		return false;
	*out = (int64_t)x;
	return true;
}

bool page_rows_lists(const char *names, struct text name)
{
	struct text rest = text_of(names ? names : "");

	while (rest.len)
		if (text_equal(text_until(&rest, '|'), name))
			return true;
	return false;
}

void page_rows_time(struct page_rows *r, double ms)
{
	char time[PROVENANCE_TIME_MAX];
	double whole = floor(ms);
	size_t len;

	if (!(fabs(ms) < 9e12))
		return;
	/* No double holds today's time in ns, but each holds it in us. */
	len = provenance_time(
	    time, (int64_t)whole * 1000000 + (int64_t)llround((ms - whole) * 1e3) * 1000);
	row_builder_set(r->out, COL_TIME,
	    text_of(arena_text(&r->out->texts, (struct text){ time, len })));
}

void page_rows_number(struct page_rows *r)
{
	struct buf key = { 0 };
	size_t at;

	for (size_t i = COL_BENCH; i < r->out->cells; i++)
		if (i == COL_BENCH || i >= COL_FACTORS) {
			buf_printf(&key, "%zu:", r->out->cell[i].len);
			buf_text(&key, r->out->cell[i]);
		}
	at = intern_add(&r->subjects, text_in(&key));
	buf_free(&key);
	if (at == r->count)
		*VEC_ADD(r->repeats, r->count, r->cap) = 0;
	r->out->row.sample = r->repeats[at]++;
}

/* A metric as rows have it. */
struct metric_form {
	struct text name, unit;
	struct page_scale scale;
};

/* Returns a name in which "*" is replaced by the names that the path's stars match, and "@"
 * by the name that belongs to the unit. */
static struct text fill_name(
    struct page_rows *r, const struct page_node *node, const struct page_unit *unit)
{
	const struct page_node *star[STARS_MAX];
	struct arena *memory = &r->out->texts;
	struct buf b = { 0 };
	struct text name;
	size_t stars = 0, next = 0;

	for (const char *c = r->metric->name; *c; c++)
		next += *c == '*';
	for (; node && stars < next && stars < STARS_MAX; node = node->up)
		if (node->starred)
			star[stars++] = node;
	for (const char *c = r->metric->name; *c; c++)
		if (*c == '*')
			buf_text(
			    &b, stars ? page_node_key(star[--stars], memory) : TEXT(""));
		else if (*c == '@')
			buf_str(&b, unit && unit->name ? unit->name : "value");
		else
			buf_byte(&b, *c);
	name = text_of(arena_text(memory, text_in(&b)));
	buf_free(&b);
	for (size_t i = 0; i < r->page->rename.count; i++)
		if (text_is(name, r->page->rename.at[i].from))
			return text_of(r->page->rename.at[i].to);
	return name;
}

/* Returns the form of the metric at a value. A unit that the page does not list is kept. */
static struct metric_form find_form(struct page_rows *r, const struct page_node *node)
{
	const struct page_metric *m = r->metric;
	const struct page_unit *unit = NULL;
	struct metric_form form = { .unit = TEXT("1"), .scale = m->scale };

	if (m->unit)
		form.unit = text_of(m->unit);
	if (m->unit_at)
		page_path_text(m->unit_at, node, &r->out->texts, &form.unit);
	for (size_t i = 0; m->unit_at && i < r->page->unit.count && !unit; i++)
		if (text_is(form.unit, r->page->unit.at[i].text))
			unit = &r->page->unit.at[i];
	if (unit) {
		form.unit = text_of(unit->unit);
		form.scale.tens += unit->scale.tens;
		form.scale.twos += unit->scale.twos;
	}
	form.name = fill_name(r, node, unit);
	return form;
}

/* Returns whether a text begins with digits and commas before each three of them. */
static bool has_thousands(struct text t)
{
	size_t digits = 0, commas = 0;

	for (size_t i = 0; i < t.len; i++)
		if (t.ptr[i] >= '0' && t.ptr[i] <= '9')
			digits++;
		else if (t.ptr[i] != ',')
			break;
		else if (commas++ ? digits != 3 : digits < 1 || digits > 3)
			return false;
		else
			digits = 0;
	return commas && digits == 3;
}

/* Returns a scaled number; NAN if it is none, or is too large. */
static double scale_number(double x, const struct page_scale *scale)
{
	if (scale->tens)
		x = decimal_shift(x, scale->tens);
	if (scale->twos)
		x = ldexp(x, scale->twos);
	return isfinite(x) ? x : NAN;
}

/*
 * Stores a number, or a text that is one, scaled; NAN: it has no value. Returns 0, or -1
 * and the message if the text is another notation of a number.
 */
static int take_number(const struct page_rows *r, const struct metric_form *form,
    const struct json_t *v, double *out, struct fault *f)
{
	struct text t = TEXT(""), digits;

	*out = NAN;
	if (!doc_number(v, out) && doc_text(v, &t)) {
		t = digits = text_trim(t);
		if (digits.len && strchr("+-", *digits.ptr))
			digits = text_after(digits, 1);
		if (!number_parse(t, out) && digits.len && *digits.ptr >= '0' &&
		    *digits.ptr <= '9' &&
		    (!page_path_starred(&r->metric->path) || has_thousands(digits)))
			return fault_set(f,
			    "%s: record %zu: the metric %.*s is not a decimal number: "
			    "'%.*s'",
			    r->source->name, r->records, (int)form->name.len,
			    form->name.ptr, (int)t.len, t.ptr);
	}
	*out = scale_number(*out, &form->scale);
	return 0;
}

/* Returns whether a value that has no number becomes a row: null, numbers that are too
 * large, and texts unless the path has a star, which also matches other texts. */
static bool is_missing(const struct page_rows *r, const struct json_t *v)
{
	struct text t;
	double x;

	return doc_is_null(v) || doc_number(v, &x) ||
	       (doc_text(v, &t) && text_trim(t).len &&
	           !page_path_starred(&r->metric->path));
}

static int put_value(
    struct page_rows *r, const struct metric_form *form, double value, struct fault *f)
{
	r->rows++;
	return row_builder_put(r->out, form->name, form->unit, value, f);
}

/* Adds a row for each item of an array of samples, or of arrays of samples, one for each
 * process. */
static int put_samples(struct page_rows *r, const struct metric_form *form,
    const struct json_t *array, bool nested, struct fault *f)
{
	struct row *row = &r->out->row;
	int64_t process = row->process, sample = row->sample;
	int status = 0;

	for (size_t i = 0; i < doc_length(array) && status == 0; i++) {
		const struct json_t *item = doc_item(array, i);

		if (doc_is_array(item) && !nested) {
			row->process = (int64_t)i;
			status = put_samples(r, form, item, true, f);
			row->process = process;
		} else {
			double value;

			row->sample = (int64_t)i;
			status = take_number(r, form, item, &value, f);
			if (status == 0)
				status = put_value(r, form, value, f);
		}
	}
	row->sample = sample;
	return status;
}

/* Returns whether the last name that a "*" of the path matches is among the exceptions. */
static bool is_excepted(struct page_rows *r, const struct page_node *node)
{
	if (!r->metric->except)
		return false;
	while (node && !node->starred)
		node = node->up;
	return node &&
	       page_rows_lists(r->metric->except, page_node_key(node, &r->out->texts));
}

static int on_metric(void *ctx, const struct page_node *node, struct fault *f)
{
	struct page_rows *r = ctx;
	struct metric_form form;
	double value;

	if (is_excepted(r, node))
		return 0;
	form = find_form(r, node);
	if (doc_is_array(node->v))
		return put_samples(r, &form, node->v, false, f);
	if (take_number(r, &form, node->v, &value, f) < 0)
		return -1;
	return isfinite(value) || is_missing(r, node->v) ? put_value(r, &form, value, f)
	                                                 : 0;
}

/* Sets the iterations of the metric's rows. */
static void set_iterations(struct page_rows *r, const struct page_node *record)
{
	struct text t;
	int64_t whole;

	if (r->metric->iterations &&
	    page_path_text(r->metric->iterations, record, &r->out->texts, &t) &&
	    page_rows_whole(t, &whole))
		r->out->row.iterations = whole;
}

/* Adds a row without a value, of the first metric. If its unit is in the file, the first
 * unit of the page is assumed. */
static int put_none(struct page_rows *r, struct fault *f)
{
	const struct page_metric *m = r->page->metric.at;
	const struct page_unit *unit =
	    m->unit_at && r->page->unit.count ? r->page->unit.at : NULL;
	struct metric_form form = { .unit = TEXT("1") };

	r->metric = m;
	if (m->unit || unit)
		form.unit = text_of(unit ? unit->unit : m->unit);
	form.name = strchr(m->name, '*') ? TEXT("value") : fill_name(r, NULL, unit);
	return put_value(r, &form, NAN, f);
}

/* Returns whether the conditions of a metric hold. */
static bool is_wanted(const struct page_metric *m, const struct page_node *record)
{
	for (size_t i = 0; i < m->conditions; i++)
		if (!page_condition_holds(&m->only[i], record))
			return false;
	return true;
}

int page_rows_put(struct page_rows *r, const struct page_node *record, struct fault *f)
{
	int64_t iterations = r->out->row.iterations;

	r->rows = 0;
	for (size_t i = 0; i < r->page->metric.count; i++) {
		r->metric = &r->page->metric.at[i];
		if (!is_wanted(r->metric, record))
			continue;
		set_iterations(r, record);
		if (page_path_each(&r->metric->path, record, on_metric, r, f) < 0)
			return -1;
		r->out->row.iterations = iterations;
	}
	return r->rows ? 0 : put_none(r, f);
}

void page_rows_free(struct page_rows *r)
{
	intern_free(&r->subjects);
	free(r->repeats);
}
