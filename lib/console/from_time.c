/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what programs and shells print about the time of a command: GNU time with -v, with
 * its default format and with -p; time of bash, ksh and POSIX; time of zsh. A block of
 * lines, or one line of zsh, is a sample. GNU time states a failure in a line before the
 * block.
 */
#include <math.h>
#include <stdlib.h>

#include "convert/from.h"
#include "record/sample_counts.h"
#include "text/units.h"

enum measure {
	WALL,
	USER,
	SYS,
	MAX_RSS,
	MAJOR,
	MINOR,
	SWITCHES,
	BLOCK_IN,
	BLOCK_OUT,
	MEASURES
};

static const struct {
	const char *metric, *unit;
} metrics[MEASURES] = {
	[WALL] = { "wall", "ns" },
	[USER] = { "user", "ns" },
	[SYS] = { "sys", "ns" },
	[MAX_RSS] = { "max_rss", "B" },
	[MAJOR] = { "major-faults", "1" },
	[MINOR] = { "minor-faults", "1" },
	[SWITCHES] = { "context-switches", "1" },
	[BLOCK_IN] = { "block_in", "B" },
	[BLOCK_OUT] = { "block_out", "B" },
};

/* A sample; values that the block does not have are NAN. */
struct timing {
	struct text command;
	int64_t exit_code, signal; /* 0: none */
	bool incomplete;           /* of GNU time -v, before its last line */
	unsigned lines;            /* of GNU time -v: bits of labels[] */
	double value[MEASURES];
};

static const struct timing no_timing = {
	.value = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN },
};

/*
 * Parses a time such as "0.58", "0m0.014s", "0:00.01" or "1:02:03" into ns. Returns false
 * if it is not a time.
 */
static bool time_parse(struct text t, double *ns)
{
	double whole = 0, seconds;
	size_t parts = 0, digits = 0, from = 0;

	if (t.len && t.ptr[t.len - 1] == 's')
		t.len--;
	for (size_t i = 0; i < t.len; i++) {
		char c = t.ptr[i];
		int64_t part;

		if (c == ':' || c == 'm') {
			if (++parts > 2 || i == from || i - from > 9 ||
			    !integer_parse((struct text){ t.ptr + from, i - from }, &part))
				return false;
			whole = whole * 60 + (double)part;
			from = i + 1;
		} else if ((c < '0' || c > '9') && c != '.') {
			return false;
		}
		digits += c == '.';
	}
	if (digits > 1 ||
	    !number_parse(text_after(t, from), &seconds))
		return false;
	*ns = whole * 60e9 + decimal_shift(seconds, 9);
	return isfinite(*ns);
}

/* Removes the last word of a line and returns it. */
static struct text last_word(struct text *line)
{
	struct text t = text_trim(*line);
	size_t at = t.len;

	while (at && t.ptr[at - 1] != ' ' && t.ptr[at - 1] != '\t')
		at--;
	*line = text_trim((struct text){ t.ptr, at });
	return text_after(t, at);
}

/* Returns whether a line begins with a word, and removes the word. */
static bool take_word(struct text *line, const char *word)
{
	struct text t = *line;
	size_t len = strlen(word);

	if (!text_begins(t, word) || t.len == len ||
	    (t.ptr[len] != ' ' && t.ptr[len] != '\t'))
		return false;
	*line = text_trim(text_after(t, len));
	return true;
}

/* Returns whether a line is that of zsh: "command 0.58s user 0.01s system 63% cpu 0.917
 * total". */
static bool zsh_parse(struct text line, struct timing *b)
{
	struct text wall, user, sys;

	if (!text_is(last_word(&line), "total"))
		return false;
	wall = last_word(&line);
	if (!text_is(last_word(&line), "cpu") || !text_ends(last_word(&line), "%") ||
	    !text_is(last_word(&line), "system"))
		return false;
	sys = last_word(&line);
	if (!text_is(last_word(&line), "user"))
		return false;
	user = last_word(&line);
	b->command = line;
	return time_parse(wall, &b->value[WALL]) && time_parse(user, &b->value[USER]) &&
	       time_parse(sys, &b->value[SYS]);
}

/* Removes the number, or time, before a label from rest. Returns it, with all that a space,
 * an opening parenthesis or a plus sign does not separate from it, or an empty string if
 * the label is not there. */
static struct text take_before(struct text *rest, const char *label)
{
	size_t len = strlen(label), at = 0;

	for (size_t i = 0; i + len <= rest->len; i++) {
		if (memcmp(rest->ptr + i, label, len) == 0) {
			struct text t = { rest->ptr + at, i - at };

			*rest = text_after(*rest, i + len);
			return t;
		}
		if (memchr(" (+", rest->ptr[i], 3))
			at = i + 1;
	}
	return TEXT("");
}

/* Sets a value that the block does not have yet, or adds to it if the measure has several
 * lines. Returns false if t is not a number. */
static bool set_number(struct timing *b, enum measure m, struct text t, double factor)
{
	double x;

	if (!number_parse(t, &x))
		return false;
	b->value[m] = (isnan(b->value[m]) ? 0 : b->value[m]) + x * factor;
	return true;
}

/* Returns whether a line is the first of GNU time's default format. */
static bool gnu_parse(struct text line, struct timing *b)
{
	struct text user = take_before(&line, "user "), sys = take_before(&line, "system "),
	            wall = take_before(&line, "elapsed ");

	return time_parse(user, &b->value[USER]) && time_parse(sys, &b->value[SYS]) &&
	       time_parse(wall, &b->value[WALL]) &&
	       set_number(b, MAX_RSS, take_before(&line, "maxresident)k"), 1024);
}

/* Reads the second line of GNU time's default format. Returns whether it is one, and is the
 * first of its block. */
static bool gnu_parse_more(struct text line, struct timing *b)
{
	return isnan(b->value[BLOCK_IN]) &&
	       set_number(b, BLOCK_IN, take_before(&line, "inputs+"), 512) &&
	       set_number(b, BLOCK_OUT, take_before(&line, "outputs ("), 512) &&
	       set_number(b, MAJOR, take_before(&line, "major+"), 1) &&
	       set_number(b, MINOR, take_before(&line, "minor)pagefaults"), 1);
}

/* The lines of GNU time -v that are read, without their tab. */
static const struct {
	const char *label;
	enum measure measure;
	double factor; /* 0: a time */
} labels[] = {
	{ "Elapsed (wall clock) time (h:mm:ss or m:ss): ", WALL, 0 },
	{ "User time (seconds): ", USER, 0 },
	{ "System time (seconds): ", SYS, 0 },
	{ "Maximum resident set size (kbytes): ", MAX_RSS, 1024 },
	{ "Major (requiring I/O) page faults: ", MAJOR, 1 },
	{ "Minor (reclaiming a frame) page faults: ", MINOR, 1 },
	{ "Voluntary context switches: ", SWITCHES, 1 },
	{ "Involuntary context switches: ", SWITCHES, 1 },
	{ "File system inputs: ", BLOCK_IN, 512 },
	{ "File system outputs: ", BLOCK_OUT, 512 },
};

static struct text after(struct text line, const char *label)
{
	size_t len = strlen(label);

	return text_trim(text_after(line, len));
}

/* Reads a line of GNU time -v after the first. Returns false if it has no value, or a value
 * that the block already has. */
static bool verbose_parse(struct text line, struct timing *b)
{
	static const char status_label[] = "Exit status: ";

	for (size_t i = 0; i < COUNT(labels); i++) {
		struct text value;

		if (!text_begins(line, labels[i].label))
			continue;
		if (b->lines >> i & 1)
			return false;
		b->lines |= 1u << i;
		value = after(line, labels[i].label);
		return labels[i].factor != 0
		           ? set_number(b, labels[i].measure, value, labels[i].factor)
			   : time_parse(value, &b->value[labels[i].measure]);
	}
	if (!text_begins(line, status_label))
		return true;
	b->incomplete = false;
	return integer_parse(after(line, status_label), &b->exit_code);
}

static const char command_label[] = "Command being timed: ",
                  exit_label[] = "Command exited with non-zero status ",
                  signal_label[] = "Command terminated by signal ";

/* Returns whether a line begins a block, and reads its values. */
static bool block_begins(struct text line, struct timing *b)
{
	struct text t = text_trim(line);

	if (text_begins(t, command_label)) {
		b->command = after(t, command_label);
		if (b->command.len > 1 && text_ends(b->command, "\""))
			b->command =
			    (struct text){ b->command.ptr + 1, b->command.len - 2 };
		b->incomplete = true;
		return true;
	}
	if (take_word(&t, "real"))
		return memchr(t.ptr, '.', t.len) && time_parse(t, &b->value[WALL]);
	return zsh_parse(t, b) || gnu_parse(t, b);
}

struct reading {
	const char *name;
	size_t line;
	struct row_builder *out;
	struct timing timing;
	bool open;                   /* timing has a sample */
	struct sample_counts counts; /* of commands */
};

/* Adds the rows of the block, and begins another. */
static int block_end(struct reading *r, struct fault *f)
{
	const struct timing *b = &r->timing;
	struct row_builder *out = r->out;

	if (!r->open)
		return 0;
	r->open = false;
	if (b->incomplete)
		return fault_set(f,
		    "%s: a block of time -v has no line \"Exit status\": the file is cut "
		    "off",
		    r->name);
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_set(out, COL_BENCH, b->command);
	out->row.iterations = 1;
	out->row.sample = sample_counts_next(&r->counts, b->command);
	if (b->signal > 0 && b->signal < 128) {
		const char *name = sigabbrev_np((int)b->signal);

		row_builder_set(out, COL_STATUS,
		    text_of(name ? arena_format(&out->texts, "failed:signal=SIG%s", name)
		                 : arena_format(
		                       &out->texts, "failed:signal=%d", (int)b->signal)));
	} else if (b->exit_code)
		row_builder_set(out, COL_STATUS,
		    text_of(arena_format(
		        &out->texts, "failed:exit=%lld", (long long)b->exit_code)));
	else
		row_builder_set(out, COL_STATUS, TEXT("ok"));
	for (size_t i = 0; i < MEASURES; i++)
		if (!isnan(b->value[i]) &&
		    row_builder_put(out, text_of(metrics[i].metric),
		        text_of(metrics[i].unit), b->value[i], f) < 0)
			return -1;
	r->timing = no_timing;
	return 0;
}

/* Returns whether a line begins a block with a decimal comma, as the programs print it in
 * many languages. */
static bool has_comma(struct text line)
{
	struct timing ignored = no_timing;
	bool found = false;
	char *points;

	if (!memchr(line.ptr, ',', line.len) || block_begins(line, &ignored))
		return false;
	points = mem_text(line.ptr, line.len);
	for (char *at = points; (at = strchr(at, ','));)
		*at = '.';
	found = block_begins(text_of(points), &ignored);
	free(points);
	return found;
}

/* Reads a line of a block after the first. Returns whether it has a value, or none that
 * would be read. */
static bool read_more(struct timing *b, struct text line)
{
	if (take_word(&line, "user"))
		return !isnan(b->value[USER]) || time_parse(line, &b->value[USER]);
	if (take_word(&line, "sys"))
		return !isnan(b->value[SYS]) || time_parse(line, &b->value[SYS]);
	return text_ends(line, "swaps") && memmem(line.ptr, line.len, "pagefaults ", 11)
	           ? gnu_parse_more(line, b)
		   : verbose_parse(line, b);
}

static int read_line(struct reading *r, struct text line, struct fault *f)
{
	struct text t = text_trim(line);
	struct timing b = no_timing;

	if (text_begins(t, exit_label) || text_begins(t, signal_label)) {
		if (block_end(r, f) < 0)
			return -1;
		r->timing = no_timing;
		if (text_begins(t, exit_label))
			integer_parse(after(t, exit_label), &r->timing.exit_code);
		else
			integer_parse(after(t, signal_label), &r->timing.signal);
		return 0;
	}
	if (block_begins(line, &b)) {
		if (block_end(r, f) < 0)
			return -1;
		b.exit_code = r->timing.exit_code;
		b.signal = r->timing.signal;
		r->timing = b;
		r->open = true;
		return 0;
	}
	if (!r->open || read_more(&r->timing, t))
		return 0;
	return fault_set(f, "%s:%zu: no value, or one more value: the file is damaged",
	    r->name, r->line);
}

static bool time_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (line_next(&rest, &line)) {
		struct timing b = no_timing;

		if (block_begins(line, &b) || has_comma(line))
			return true;
	}
	return false;
}

static int time_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct reading r = { .name = s->name, .out = out, .timing = no_timing };
	struct text rest = s->text, line;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		r.line++;
		status =
		    has_comma(line)
		        ? fault_set(f,
		              "%s:%zu: numbers with a decimal comma: run time as LC_ALL=C",
		              s->name, r.line)
		        : read_line(&r, line, f);
	}
	if (status == 0)
		status = block_end(&r, f);
	sample_counts_free(&r.counts);
	return status;
}

const struct format format_time = { .name = "time",
	.meaning = "GNU time, and time of bash, ksh, zsh and POSIX",
	.whole_lines = true,
	.last_lines = (const char *const[]){ "sys\t*m*[0-9]s", "*[0-9] total",
	    "*pagefaults *[0-9]swaps", NULL },
	.may_be_mixed = true,
	.recognize = time_recognize,
	.read = time_read };
