/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the text that stress-ng --metrics or --metrics-brief prints: a line with the values
 * of each stressor, and further values with their meaning in words. Stressors that were
 * skipped or failed are only in messages, before or after these lines. A run ends with a
 * message. If there are several runs, those of one stressor are its samples.
 */
#include <math.h>
#include <stdlib.h>

#include "console/console_text.h"
#include "console/stress_ng.h"
#include "record/sample_counts.h"
#include "text/units.h"

/* A stressor without values, or whose values do not count. */
struct stress_failure {
	struct text name, status, message;
	bool has_row;
};

struct stress_run {
	struct text lines, hogs;
	bool ended;
	struct stress_failure *failure;
	size_t failures, cap;
};

struct stress_reading {
	struct row_builder *out;
	struct stress_run run;
	struct arena texts;          /* of the run */
	struct sample_counts counts; /* by stressor */
	bool has_samples;            /* there are several runs */
	int64_t sample;              /* of the stressor of the last line */
};

/* Returns the message in a line "stress-ng: info:  [123] message"; "" if it has none. */
static struct text message_of(struct text line)
{
	const char *end;

	if (!text_begins(line, "stress-ng: ") ||
	    !(end = memmem(line.ptr, line.len, "] ", 2)))
		return TEXT("");
	return text_trim(text_after(line, (size_t)(end + 2 - line.ptr)));
}

static bool is_header(struct text message)
{
	return text_is(line_word(&message), "stressor") &&
	       text_begins(text_trim(message), "bogo ops real time");
}

static bool ends_run(struct text message)
{
	return text_begins(message, "successful run completed") ||
	       text_begins(message, "unsuccessful run completed");
}

static void add_failure(
    struct stress_run *run, struct text name, struct text status, struct text message)
{
	for (size_t i = 0; i < run->failures; i++)
		if (text_equal(run->failure[i].name, name))
			return;
	*VEC_ADD(run->failure, run->failures, run->cap) =
	    (struct stress_failure){ name, status, message, false };
}

/* Reads "process [14160] (hdd) terminated with an error, exit status=2 (stressor failed)".
 */
static void read_error(struct stress_run *run, struct arena *texts, struct text message)
{
	static const char at_status[] = "exit status=";
	struct text all = message, name, number;
	const char *at = memmem(message.ptr, message.len, at_status, strlen(at_status));
	int64_t exit;

	text_until(&message, '(');
	name = text_until(&message, ')');
	if (!name.len || !at)
		return;
	number = text_after(all, (size_t)(at + strlen(at_status) - all.ptr));
	number = line_word(&number);
	if (integer_parse(number, &exit))
		add_failure(run, name,
		    text_of(arena_format(texts, "failed:exit=%lld", (long long)exit)), all);
}

/* Reads a message about a stressor that is skipped or failed, or about the run. */
static void scan_message(struct stress_run *run, struct arena *texts, struct text message)
{
	static const char hogs[] = "dispatching hogs:", disabled[] = "disabled '";
	struct text rest = message, name = line_word(&rest);

	run->ended |= ends_run(message);
	rest = text_trim(rest);
	if (text_begins(message, hogs)) {
		run->hogs = text_after(message, strlen(hogs));
	} else if (text_begins(rest, "stressor will be skipped")) {
		add_failure(run, name, TEXT("skipped"), message);
	} else if (text_begins(message, disabled)) {
		rest = text_after(message, strlen(disabled));
		add_failure(run, text_until(&rest, '\''), TEXT("skipped"), message);
	} else if (text_begins(message, "process [") &&
	           memmem(message.ptr, message.len, "terminated", 10)) {
		read_error(run, texts, message);
	}
}

/* Removes the next run from rest. Returns false if there is none. */
static bool next_run(struct text *rest, struct stress_run *run, struct arena *texts)
{
	struct text line, message;
	bool open = false;

	free(run->failure);
	*run = (struct stress_run){ .lines = *rest, .hogs = TEXT("") };
	while (!run->ended && line_next(rest, &line)) {
		message = message_of(line);
		if (message.len) {
			open = true;
			scan_message(run, texts, message);
		}
	}
	run->lines.len = (size_t)(rest->ptr - run->lines.ptr);
	return open;
}

/* Returns how many instances of a stressor ran, from "1 cpu, 2 vm"; "" if it is unknown. */
static struct text instances_of(const struct stress_run *run, struct text name)
{
	struct text hogs = run->hogs;

	while (text_trim(hogs).len) {
		struct text part = text_until(&hogs, ','), count = line_word(&part);

		if (text_equal(text_trim(part), name))
			return count;
	}
	return TEXT("");
}

/* Sets the columns of a stressor, or of a run as a whole if the name is empty. */
static void set_columns(struct stress_reading *r, struct text name,
    const struct stress_failure *failure, const char *status)
{
	struct text instances = instances_of(&r->run, name);

	row_builder_clear(r->out);
	row_builder_set(r->out, COL_KIND, TEXT("command"));
	row_builder_set(r->out, COL_BENCH, name);
	row_builder_set(r->out, COL_STATUS, failure ? failure->status : text_of(status));
	if (failure)
		row_builder_extra(r->out, EXTRA_MESSAGE, failure->message);
	if (instances.len)
		row_builder_factor(r->out, TEXT("instances"), instances);
	r->out->row.sample = r->has_samples ? r->sample : ROW_NONE;
}

static struct stress_failure *find_failure(struct stress_run *run, struct text name)
{
	for (size_t i = 0; i < run->failures; i++)
		if (text_equal(run->failure[i].name, name))
			return &run->failure[i];
	return NULL;
}

/* Reads the values of a stressor. Returns 1 if the line has something else. */
static int read_stressor(struct stress_reading *r, struct text message, struct fault *f)
{
	struct text name = line_word(&message);
	struct stressor s = stressor_none;
	struct stress_failure *failure;
	size_t count = 0;

	s.zeros_are_rounded = true;
	while (text_trim(message).len && count < STRESSOR_VALUES)
		if (!number_parse(line_word(&message), &s.value[count++]))
			return 1;
	if (count <= STRESSOR_CPU_RATE || text_trim(message).len)
		return 1;
	failure = find_failure(&r->run, name);
	if (failure)
		failure->has_row = true;
	r->sample = sample_counts_next(&r->counts, name);
	set_columns(r, name, failure, stressor_is_cut_off(&s) ? "failed" : "ok");
	return stressor_put(&s, r->out, f);
}

/* Returns a description as stress-ng writes it in YAML: "MB per sec" is "mb-per-sec". */
static struct text key_of(struct arena *texts, struct text description)
{
	char *key = arena_zero(texts, description.len + 1, 1);

	for (size_t i = 0; i < description.len; i++) {
		char c = description.ptr[i];

		key[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == ' ' ? '-' : c;
	}
	return text_of(key);
}

/* Reads "pipe   90.65 MB per sec pipe write rate (geometic mean of 1 instances)". */
static int read_further(struct stress_reading *r, struct text message, struct fault *f)
{
	struct text name = line_word(&message), number = line_word(&message);
	struct text description = text_trim(text_until(&message, '('));
	double x;

	if (!memmem(message.ptr, message.len, " mean of ", 9) || !description.len ||
	    !number_parse(number, &x))
		return 0;
	set_columns(r, name, find_failure(&r->run, name), "ok");
	struct text key = key_of(&r->out->texts, description);

	return row_builder_put(r->out, key, stress_ng_unit(key), x, f);
}

static int put_run(struct stress_reading *r, struct fault *f)
{
	struct text rest = r->run.lines, line;
	bool in_table = false;

	while (line_next(&rest, &line)) {
		struct text message = message_of(line);
		int status = 1;

		in_table |= is_header(message);
		if (in_table)
			status = read_stressor(r, message, f);
		if (status < 0 || (status > 0 && read_further(r, message, f) < 0))
			return -1;
	}
	for (size_t i = 0; i < r->run.failures; i++) {
		const struct stress_failure *failure = &r->run.failure[i];

		if (failure->has_row)
			continue;
		r->sample = sample_counts_next(&r->counts, failure->name);
		set_columns(r, failure->name, failure, "");
		if (row_builder_put(r->out, TEXT("throughput"), TEXT("1/s"), NAN, f) < 0)
			return -1;
	}
	if (r->run.ended || !r->run.hogs.len)
		return 0;
	r->sample = sample_counts_next(&r->counts, TEXT(""));
	set_columns(r, TEXT(""), NULL, "failed");
	return row_builder_put(r->out, TEXT("throughput"), TEXT("1/s"), NAN, f);
}

static bool stress_ng_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (!s->doc && line_next(&rest, &line)) {
		struct text message = message_of(line);

		if (is_header(message) || text_begins(message, "dispatching hogs:"))
			return true;
	}
	return false;
}

static int stress_ng_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct stress_reading r = { .out = out };
	struct text rest = s->text;
	size_t runs = 0;
	int status = 0;

	while (next_run(&rest, &r.run, &r.texts))
		runs++;
	r.has_samples = runs > 1;
	rest = s->text;
	while (status == 0 && next_run(&rest, &r.run, &r.texts))
		status = put_run(&r, f);
	free(r.run.failure);
	arena_free(&r.texts);
	sample_counts_free(&r.counts);
	return status;
}

const struct format format_stress_ng = { .name = "stress-ng",
	.meaning = "stress-ng (--metrics)",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = stress_ng_recognize,
	.read = stress_ng_read };
