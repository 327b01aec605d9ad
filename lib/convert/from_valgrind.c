/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the totals of files that tools of Valgrind write: callgrind.out and cachegrind.out,
 * which have a count for each event, and massif.out, which has snapshots of the heap.
 * Functions and call stacks are not read.
 */
#include "convert/from.h"
#include "text/units.h"

/* Sets line to the text after a label, without blanks, if the line begins with the label.
 */
static bool take_label(struct text *line, const char *label)
{
	size_t len = strlen(label);

	if (!text_begins(*line, label))
		return false;
	*line = text_trim(text_after(*line, len));
	return true;
}

/* Returns whether among the first lines of a file, one begins with a label, and a line
 * before it with another. */
static bool has_labels(const struct source *s, const char *before, const char *label)
{
	enum { LINES = 40 };
	struct text rest = s->text, line;
	bool found = false;

	for (int i = 0; i < LINES && line_next(&rest, &line); i++) {
		if (text_begins(line, label))
			return found;
		found |= text_begins(line, before);
	}
	return false;
}

static void begin_command(struct row_builder *out, struct text command)
{
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_set(out, COL_BENCH, command);
	out->row.iterations = 1;
}

/*
 * Adds a row for each event. The last events may have no count, which means 0. Returns 0,
 * or -1 and the message.
 */
static int put_counts(const struct source *s, size_t line, struct text events,
    struct text counts, struct row_builder *out, struct fault *f)
{
	while (text_trim(events).len) {
		struct text event = line_word(&events), count = line_word(&counts);
		double x = 0;

		if (count.len && !number_parse(count, &x))
			return fault_set(
			    f, "%s:%zu: a count is not a number", s->name, line);
		if (row_builder_put(out, event, TEXT("1"), x, f) < 0)
			return -1;
	}
	if (text_trim(counts).len)
		return fault_set(f, "%s:%zu: more counts than events", s->name, line);
	return 0;
}

/*
 * Reads the counts of the whole program, which are in the line "summary:". The line that
 * begins with the label follows all functions. A file of callgrind has a part for each dump
 * of the counts, which becomes a sample.
 */
static int read_counts(
    const struct source *s, const char *label, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line, command = TEXT(""), events = TEXT(""),
	            counts = TEXT("");
	int64_t parts = 0;
	bool open = false;

	for (size_t number = 1; line_next(&rest, &line); number++) {
		bool last = text_begins(line, label);

		if (take_label(&line, "cmd:")) {
			command = line;
		} else if (take_label(&line, "events:")) {
			events = line;
			open = true;
		} else if (take_label(&line, "summary:")) {
			counts = line;
		}
		if (!last)
			continue;
		begin_command(out, command);
		out->row.sample = parts++;
		if (put_counts(s, number, events, counts, out, f) < 0)
			return -1;
		open = false;
	}
	if (open || !parts)
		return fault_set(f, "%s: no line \"%s\" at the end: the file is cut off",
		    s->name, label);
	return 0;
}

static bool callgrind_recognize(const struct source *s)
{
	return has_labels(s, "positions:", "events:");
}

static int callgrind_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	return read_counts(s, "totals:", out, f);
}

static bool cachegrind_recognize(const struct source *s)
{
	return has_labels(s, "cmd:", "events:") && !callgrind_recognize(s);
}

static int cachegrind_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	return read_counts(s, "summary:", out, f);
}

static const struct {
	const char *label, *metric;
} sizes[] = {
	{ "mem_heap_B=", "heap_peak" },
	{ "mem_heap_extra_B=", "heap_extra_peak" },
	{ "mem_stacks_B=", "stacks_peak" },
};

static bool massif_recognize(const struct source *s)
{
	return has_labels(s, "time_unit:", "snapshot=");
}

struct snapshot {
	double size[COUNT(sizes)], sum;
};

/* Adds the size of a line, if it has one. Returns 0, or -1 if the size is not a number. */
static int take_size(struct snapshot *s, struct text line)
{
	for (size_t i = 0; i < COUNT(sizes); i++) {
		if (!take_label(&line, sizes[i].label))
			continue;
		if (!number_parse(line, &s->size[i]))
			return -1;
		s->sum += s->size[i];
	}
	return 0;
}

/* Reads the sizes in the snapshot in which their sum is largest. */
static int massif_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct text rest = s->text, line, command = TEXT("");
	struct snapshot now = { .sum = 0 }, peak = { .sum = -1 };
	bool open = false;

	for (size_t number = 1; line_next(&rest, &line); number++) {
		if (take_label(&line, "cmd:")) {
			if (command.len)
				return fault_set(f,
				    "%s:%zu: a second line \"cmd:\": convert each file of "
				    "Valgrind separately",
				    s->name, number);
			command = line;
		} else if (text_begins(line, "snapshot=")) {
			if (open)
				break;
			open = true;
			now = (struct snapshot){ .sum = 0 };
		} else if (open && text_begins(line, "heap_tree=")) {
			open = false;
			if (now.sum > peak.sum)
				peak = now;
		} else if (open && take_size(&now, line) < 0) {
			return fault_set(
			    f, "%s:%zu: a size is not a number", s->name, number);
		}
	}
	if (open || peak.sum < 0)
		return fault_set(f,
		    "%s: the last snapshot is not complete: the file is cut off", s->name);
	begin_command(out, command);
	for (size_t i = 0; i < COUNT(sizes); i++)
		if (row_builder_put(
		        out, text_of(sizes[i].metric), TEXT("B"), peak.size[i], f) < 0)
			return -1;
	return 0;
}

const struct format format_callgrind = { .name = "callgrind",
	.meaning = "callgrind.out of Valgrind",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = callgrind_recognize,
	.read = callgrind_read };
const struct format format_cachegrind = { .name = "cachegrind",
	.meaning = "cachegrind.out of Valgrind",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = cachegrind_recognize,
	.read = cachegrind_read };
const struct format format_massif = { .name = "massif",
	.meaning = "massif.out of Valgrind",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = massif_recognize,
	.read = massif_read };
