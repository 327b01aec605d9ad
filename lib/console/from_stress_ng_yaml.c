/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the file of stress-ng --yaml. It is a document with sections; this module reads
 * the stressors in the section metrics, and the host and the time in system-info.
 */
#include <math.h>

#include "console/stress_ng.h"
#include "record/provenance.h"
#include "record/sample_counts.h"
#include "text/units.h"

static const char system_section[] = "system-info:", metrics_section[] = "metrics:",
                  item_label[] = "- stressor: ", document_begin[] = "---",
                  document_end[] = "...";

/* Returns whether there is a document, even after other lines, which are then rejected. */
static bool yaml_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (!s->doc && line_next(&rest, &line))
		if (text_begins(text_trim(line), "stress-ng-version: "))
			return true;
	return false;
}

/* Splits "key: value". Returns false if the line is not that. */
static bool split_pair(struct text line, struct text *key, struct text *value)
{
	*value = text_trim(line);
	*key = text_until(value, ':');
	*value = text_trim(*value);
	return key->len && value->len;
}

struct yaml_reading {
	struct row_builder *out;
	const char *name; /* of the file */
	size_t line;
	struct text host, seconds;   /* of the document; "": unknown */
	struct sample_counts counts; /* by stressor */
	bool has_samples;            /* there are several documents */
};

static void set_columns(struct yaml_reading *r, struct text name, const struct stressor *s)
{
	char time[PROVENANCE_TIME_MAX];
	int64_t seconds, s_ns = 1000000000;
	int64_t sample = sample_counts_next(&r->counts, name);

	row_builder_clear(r->out);
	row_builder_set(r->out, COL_KIND, TEXT("command"));
	row_builder_set(r->out, COL_BENCH, name);
	row_builder_set(r->out, COL_HOST, r->host);
	row_builder_set(
	    r->out, COL_STATUS, stressor_is_cut_off(s) ? TEXT("failed") : TEXT("ok"));
	if (integer_parse(r->seconds, &seconds) && seconds >= 0 &&
	    seconds < INT64_MAX / s_ns)
		row_builder_set(r->out, COL_TIME,
		    text_of(arena_text(&r->out->texts,
		        (struct text){ time, provenance_time(time, seconds * s_ns) })));
	r->out->row.sample = r->has_samples ? sample : ROW_NONE;
}

/* Parses the values of a stressor, which lines of this text have until one is empty or
 * begins another stressor. Returns 0, or -1 and the message. */
static int read_values(
    struct yaml_reading *r, struct text lines, struct stressor *s, struct fault *f)
{
	struct text line, key, value;
	size_t number = r->line;
	double x;

	*s = stressor_none;
	while (line_next(&lines, &line) && text_trim(line).len &&
	       !text_begins(text_trim(line), "- ")) {
		number++;
		if (!split_pair(line, &key, &value) || stressor_key(key) == STRESSOR_VALUES)
			continue;
		if (!number_parse(value, &x))
			return fault_set(f, "%s:%zu: no number", r->name, number);
		s->value[stressor_key(key)] = x;
	}
	return 0;
}

/* Adds the rows of a stressor: its values, and those that only some stressors have. */
static int put_stressor(
    struct yaml_reading *r, struct text name, struct text lines, struct fault *f)
{
	struct text line, key, value;
	struct stressor s;
	double x;

	if (read_values(r, lines, &s, f) < 0)
		return -1;
	set_columns(r, name, &s);
	if (stressor_put(&s, r->out, f) < 0)
		return -1;
	while (line_next(&lines, &line) && text_trim(line).len &&
	       !text_begins(text_trim(line), "- "))
		if (split_pair(line, &key, &value) &&
		    stressor_key(key) == STRESSOR_VALUES && number_parse(value, &x) &&
		    row_builder_put(r->out, key, stress_ng_unit(key), x, f) < 0)
			return -1;
	return 0;
}

/* Reads a line of system-info. */
static void read_system(struct yaml_reading *r, struct text line)
{
	struct text key, value;

	if (!split_pair(line, &key, &value))
		return;
	if (text_is(key, "hostname"))
		r->host = value;
	else if (text_is(key, "epoch-secs"))
		r->seconds = value;
}

/* Reads a line of a document; rest has those after it. */
static int read_line(struct yaml_reading *r, struct text line, struct text rest,
    struct text *section, struct fault *f)
{
	struct text item = text_trim(line);

	if (line.len && line.ptr[0] != ' ') {
		if (text_ends(line, ":"))
			*section = line;
		return 0;
	}
	if (text_is(*section, system_section))
		read_system(r, line);
	return text_is(*section, metrics_section) && text_begins(item, item_label)
	           ? put_stressor(r, text_after(item, strlen(item_label)), rest, f)
	           : 0;
}

static int yaml_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct yaml_reading r = { .out = out, .name = s->name };
	struct text rest = s->text, line, section = TEXT("");
	size_t documents = 0;
	bool open = false;
	int status = 0;

	while (line_next(&rest, &line))
		documents += text_is(line, document_begin);
	r.has_samples = documents > 1;
	rest = s->text;
	while (status == 0 && line_next(&rest, &line)) {
		r.line++;
		if (!open && text_is(line, document_begin)) {
			open = true;
			section = r.host = r.seconds = TEXT("");
		} else if (!open && text_trim(line).len) {
			status = fault_set(f, "%s:%zu: not a document of stress-ng --yaml",
			    s->name, r.line);
		} else if (text_is(line, document_end)) {
			open = false;
		} else if (text_is(line, document_begin)) {
			break;
		} else if (open) {
			status = read_line(&r, line, rest, &section, f);
		}
	}
	if (status == 0 && open)
		status =
		    fault_set(f, "%s:%zu: a document has no line \"...\": it is cut off",
		        s->name, r.line);
	sample_counts_free(&r.counts);
	return status;
}

const struct format format_stress_ng_yaml = { .name = "stress-ng-yaml",
	.meaning = "YAML of stress-ng (--yaml)",
	.whole_lines = true,
	.recognize = yaml_recognize,
	.read = yaml_read };
