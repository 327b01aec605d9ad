/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what the OSU micro-benchmarks print. A line "# OSU ... v7.4" is the title of a
 * test, and the last comment before the lines of numbers names their columns. Other
 * lines, such as those of mpirun, are ignored.
 */
#include <math.h>

#include "console/console_text.h"
#include "record/sample_counts.h"
#include "text/units.h"

static const char title_mark[] = "# OSU ", size_column[] = "Size";
enum { OSU_COLUMNS_MAX = 40 };

/* Returns whether a line is a title, and sets *title to its text without the version. */
static bool is_title(struct text line, struct text *title)
{
	struct text rest = text_trim(line);
	size_t at;

	if (!text_begins(rest, title_mark))
		return false;
	*title = text_after(rest, 2);
	for (at = title->len; at && title->ptr[at - 1] != ' ';)
		at--;
	if (!text_begins(text_after(*title, at), "v") || !at)
		return false;
	title->len = at - 1;
	return true;
}

static bool osu_recognize(const struct source *s)
{
	struct text rest = s->text, line, title;

	while (!s->doc && line_next(&rest, &line))
		if (is_title(line, &title))
			return true;
	return false;
}

/* The metrics of columns whose names are not plain. */
static const struct osu_name {
	const char *column, *metric;
} names[] = {
	{ "avg_latency", "latency" },
	{ "min_latency", "latency_min" },
	{ "max_latency", "latency_max" },
	{ "mb_s", "bandwidth" },
	{ "messages_s", "message_rate" },
	{ "pure_comm", "pure_communication" },
};

struct osu_column {
	enum { OSU_VALUE, OSU_SIZE, OSU_ITERATIONS, OSU_VALIDATION } kind;
	const char *metric, *unit; /* of values */
	int exponent;
	struct text name;
	bool is_damaged; /* the name ends inside its unit, or the unit is not known */
};

/* The units of columns: in parentheses, or as the end of the name. */
static const struct osu_unit {
	const char *in_file, *unit;
	int exponent;
} units[] = {
	{ "(us)", "ns", 3 },
	{ "MB/s)", "B/s", 6 },
	{ "MB/s", "B/s", 6 },
	{ "(%)", "%", 0 },
	{ "/s", "1/s", 0 },
	{ "Transmit Size", "B", 0 },
	{ "", "", 0 },
};

struct osu_reading {
	struct row_builder *out;
	const char *name; /* of the file */
	size_t line;
	struct text title;
	struct text factor[3][2]; /* names and values */
	size_t factors;
	struct osu_column column[OSU_COLUMNS_MAX];
	size_t columns;
	bool has_rows; /* of this test */
	int64_t sample;
	struct sample_counts counts; /* of titles */
	struct arena texts;
};

/* Removes the name of a column from a line. It ends at two spaces or a parenthesis, because
 * a long name has no two spaces after it. */
static struct text column_name(struct text *line)
{
	struct text name = text_trim(*line);
	size_t len = 0;

	while (len < name.len && name.ptr[len] != ')' &&
	       !text_begins(text_after(name, len), "  ") &&
	       !text_is((struct text){ name.ptr, len }, "Validation"))
		len++;
	len += len < name.len && name.ptr[len] == ')';
	*line = text_after(name, len);
	name.len = len;
	return text_trim(name);
}

/* Returns the metric of a column: its name in lower case, with underscores in place of all
 * characters except letters and digits, or a name that the programs know. */
static const char *column_metric(struct arena *texts, struct text t)
{
	char *name = arena_zero(texts, t.len + 1, 1);
	size_t len = 0;

	for (size_t i = 0; i < t.len; i++) {
		char c = t.ptr[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			name[len++] = c;
		else if (len && name[len - 1] != '_')
			name[len++] = '_';
	}
	while (len && name[len - 1] == '_')
		len--;
	name[len] = '\0';
	for (size_t i = 0; i < COUNT(names); i++)
		if (strcmp(name, names[i].column) == 0)
			return names[i].metric;
	return name;
}

/* Returns the metric of a tail latency or rate, such as "P99 Tail Lat"; NULL: it is none.
 */
static const char *tail_metric(struct arena *texts, struct text name)
{
	struct text percentile = line_word(&name);

	if (!text_begins(percentile, "P") || !text_is(line_word(&name), "Tail"))
		return NULL;
	return arena_format(texts, "%s_p%.*s",
	    text_begins(text_trim(name), "Lat") ? "latency" : "bandwidth",
	    (int)percentile.len - 1, percentile.ptr + 1);
}

static struct osu_column make_column(struct arena *texts, struct text name)
{
	const struct osu_unit *unit = units;
	struct osu_column c = { .kind = OSU_VALUE, .name = name };
	struct text plain = name;

	if (text_is(name, size_column))
		c.kind = OSU_SIZE;
	else if (text_is(name, "Iterations"))
		c.kind = OSU_ITERATIONS;
	else if (text_is(name, "Validation"))
		c.kind = OSU_VALIDATION;
	while (!text_ends(name, unit->in_file))
		unit++;
	c.is_damaged =
	    !*unit->in_file && (memchr(name.ptr, '(', name.len) || text_ends(name, "/"));
	if (text_ends(name, ")"))
		plain = text_until(&name, '(');
	c.unit = unit->unit;
	c.exponent = unit->exponent;
	c.metric = tail_metric(texts, text_trim(plain));
	if (!c.metric)
		c.metric = column_metric(texts, text_trim(plain));
	return c;
}

/* Reads a comment as names of columns; the last one before numbers counts. */
static void read_columns(struct osu_reading *r, struct text names_line)
{
	struct text name;

	r->columns = 0;
	while (r->columns < OSU_COLUMNS_MAX && (name = column_name(&names_line)).len)
		r->column[r->columns++] = make_column(&r->texts, name);
}

static void clear_row(struct osu_reading *r, const char *status)
{
	row_builder_clear(r->out);
	row_builder_set(r->out, COL_KIND, TEXT("command"));
	row_builder_set(r->out, COL_BENCH, r->title);
	row_builder_set(r->out, COL_STATUS, text_of(status));
	for (size_t i = 0; i < r->factors; i++)
		row_builder_factor(r->out, r->factor[i][0], r->factor[i][1]);
	r->out->row.sample = r->sample;
}

/* Ends a test. One without numbers failed. */
static int end_test(struct osu_reading *r, struct fault *f)
{
	if (!r->title.len || r->has_rows)
		return 0;
	clear_row(r, "failed");
	return row_builder_put(r->out, TEXT("latency"), TEXT("ns"), NAN, f);
}

static int begin_test(struct osu_reading *r, struct text title, struct fault *f)
{
	if (end_test(r, f) < 0)
		return -1;
	r->title = title;
	r->sample = sample_counts_next(&r->counts, title);
	r->columns = r->factors = 0;
	r->has_rows = false;
	return 0;
}

static void add_factor(struct osu_reading *r, const char *name, struct text value)
{
	if (r->factors == COUNT(r->factor))
		return;
	r->factor[r->factors][0] = text_of(name);
	r->factor[r->factors++][1] = value;
}

/* Reads a comment that has settings, such as "Datatype: MPI_CHAR." or "[ pairs: 1 ] [
 * window size: 64 ]". Returns whether it is one. */
static bool read_settings(struct osu_reading *r, struct text comment)
{
	static const char datatype[] = "Datatype: ", pairs[] = "[ pairs: ";
	struct text value;

	if (text_begins(comment, datatype)) {
		value = text_after(comment, strlen(datatype));
		value.len -= text_ends(value, ".");
		add_factor(r, "datatype", value);
		return true;
	}
	if (!text_begins(comment, pairs))
		return false;
	value = text_after(comment, strlen(pairs));
	add_factor(r, "pairs", line_word(&value));
	text_until(&value, ':');
	add_factor(r, "window_size", line_word(&value));
	return true;
}

/* Checks a line of numbers, and sets the columns of its rows. */
static int set_line(struct osu_reading *r, struct text line, struct fault *f)
{
	struct text rest = line, word;
	bool failed = false;
	int64_t iterations = ROW_NONE;
	double x;

	clear_row(r, "ok");
	for (size_t i = 0; i < r->columns; i++) {
		const struct osu_column *c = &r->column[i];

		word = line_word(&rest);
		if (c->is_damaged)
			return fault_set(f,
			    "%s:%zu: column '%.*s' has no known unit: the file is damaged",
			    r->name, r->line, (int)c->name.len, c->name.ptr);
		if (c->kind == OSU_VALIDATION) {
			failed |= !text_is(word, "Pass");
		} else if (!number_parse(word, &x)) {
			return fault_set(f,
			    "%s:%zu: no number in each column: the file is damaged",
			    r->name, r->line);
		} else if (c->kind == OSU_SIZE) {
			row_builder_factor(r->out, TEXT("size"), word);
		} else if (c->kind == OSU_ITERATIONS &&
		           (!integer_parse(word, &iterations) || iterations <= 0)) {
			iterations = ROW_NONE;
		}
	}
	if (!r->columns || text_trim(rest).len)
		return fault_set(f, "%s:%zu: more numbers than columns", r->name, r->line);
	r->out->row.iterations = iterations;
	if (failed)
		row_builder_set(r->out, COL_STATUS, TEXT("failed"));
	return 0;
}

/* Adds the rows of a line of numbers. A time or rate that was rounded to 0 is missing. */
static int put_line(struct osu_reading *r, struct text line, struct fault *f)
{
	struct text word;
	double x;

	if (set_line(r, line, f) < 0)
		return -1;
	r->has_rows = true;
	for (size_t i = 0; i < r->columns; i++) {
		const struct osu_column *c = &r->column[i];

		word = line_word(&line);
		if (c->kind != OSU_VALUE || !number_parse(word, &x))
			continue;
		if (x <= 0 && c->exponent)
			x = NAN;
		if (row_builder_put(r->out, text_of(c->metric), text_of(c->unit),
		        decimal_shift(x, c->exponent), f) < 0)
			return -1;
	}
	return 0;
}

/* Adds the rows of "nprocs: 2, min: 249 ms, max: 263 ms, avg: 256 ms", which osu_init
 * prints. */
static int put_init(struct osu_reading *r, struct text line, struct fault *f)
{
	static const char *const metric[] = { "wall_min", "wall_max", "wall" };
	double ms[COUNT(metric)];
	struct text processes;

	line_word(&line);
	processes = text_until(&line, ',');
	for (size_t i = 0; i < COUNT(metric); i++) {
		line_word(&line);
		if (!number_parse(line_word(&line), &ms[i]))
			return fault_set(f, "%s:%zu: no time in ms: the file is damaged",
			    r->name, r->line);
		line_word(&line);
	}
	clear_row(r, "ok");
	row_builder_factor(r->out, TEXT("processes"), text_trim(processes));
	r->has_rows = true;
	for (size_t i = COUNT(metric); i-- > 0;)
		if (row_builder_put(r->out, text_of(metric[i]), TEXT("ns"),
		        ms[i] > 0 ? decimal_shift(ms[i], 6) : NAN, f) < 0)
			return -1;
	return 0;
}

static int read_line(struct osu_reading *r, struct text line, struct fault *f)
{
	struct text rest = text_trim(line), word = rest, title;
	double x;

	if (is_title(line, &title))
		return begin_test(r, title, f);
	if (!r->title.len)
		return 0;
	if (text_begins(rest, "# ")) {
		rest = text_trim(text_after(rest, 2));
		if (!read_settings(r, rest))
			read_columns(r, rest);
		return 0;
	}
	if (text_begins(rest, "nprocs: "))
		return put_init(r, rest, f);
	word = line_word(&word);
	return number_parse(word, &x) ? put_line(r, rest, f) : 0;
}

static int osu_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct osu_reading r = { .out = out, .name = s->name };
	struct text rest = s->text, line;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		r.line++;
		status = read_line(&r, line, f);
	}
	if (status == 0)
		status = end_test(&r, f);
	sample_counts_free(&r.counts);
	arena_free(&r.texts);
	return status;
}

const struct format format_osu = { .name = "osu",
	.meaning = "OSU micro-benchmarks of MPI",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = osu_recognize,
	.read = osu_read };
