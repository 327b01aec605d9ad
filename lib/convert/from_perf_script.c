/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the call stacks that perf script prints. A sample is a line such as
 *
 *	make 4711/4712 [001] 292.279400:    2004008 cpu-clock:
 *
 * and either the frame on the same line, or a line for each frame, the innermost first, and
 * an empty line. The name of the thread can contain blanks and numbers, so its end is found
 * by the fields after it; the processor, the time and the period may be missing.
 * Samples with the same event, name and stack are added up.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "convert/from.h"
#include "convert/perf_rows.h"
#include "convert/stack_names.h"
#include "text/units.h"

#define WRONG_SAMPLE                                                                     \
	"%s:%zu: not a sample of perf script, which has at least the fields comm, tid, " \
	"event, ip and sym"

/* The first line of a sample. */
struct sample_head {
	struct text comm, event, rest; /* rest: after the event */
	bool has_time, has_period;
	double period;
};

/* A line of a stack. */
struct stack_frame {
	struct text name, object, line;
};

/* The sums of the samples with the same event, name and stack. */
struct stack_sums {
	size_t event;
	double samples, periods;
};

struct script_reading {
	const struct source *s;
	struct text rest;
	size_t line; /* the number of the last one that was taken from rest */
	struct stack_frame *frame;
	size_t frames, frames_cap;
	struct intern events;
	bool *has_period; /* by event */
	size_t has_period_cap;
	struct intern
	    keys; /* number of the event, name and stack, with a NUL after the name */
	struct stack_sums *sums;
	size_t sums_cap;
	struct buf key;
	bool has_frames; /* some sample does */
	/* The header that --header prints: */
	size_t headers;
	struct text host;
	char captured[PROVENANCE_TIME_MAX];
};

static bool is_digits(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.ptr[i] < '0' || t.ptr[i] > '9')
			return false;
	return t.len > 0;
}

/* Returns whether a word is a thread, such as "4712", or "4711/4712" with its process. */
static bool is_thread(struct text word)
{
	struct text part;

	do {
		part = text_until(&word, '/');
		if (text_begins(part, "-"))
			part = text_after(part, 1);
		if (!is_digits(part))
			return false;
	} while (word.len);
	return true;
}

/* Returns whether a word is a processor, such as "[001]". */
static bool is_processor(struct text word)
{
	return word.len > 2 && word.ptr[0] == '[' && word.ptr[word.len - 1] == ']' &&
	       is_digits((struct text){ word.ptr + 1, word.len - 2 });
}

/* Returns whether a word is a time, such as "292.279400:". */
static bool is_time(struct text word)
{
	struct text seconds;

	if (!text_ends(word, ":"))
		return false;
	word.len--;
	seconds = text_until(&word, '.');
	return is_digits(seconds) && is_digits(word);
}

/* Reads the fields after the thread. Returns whether they are those of a sample. */
static bool read_fields(struct text rest, struct sample_head *head)
{
	enum { PERIOD_WIDTH = 10 };
	struct text field = rest, word = line_word(&rest);
	size_t width;

	*head = (struct sample_head){ .has_time = false };
	if (is_processor(word)) {
		field = rest;
		word = line_word(&rest);
	}
	if (is_time(word)) {
		head->has_time = true;
		field = rest;
		word = line_word(&rest);
	}
	/* Without a time, a number can also be the thread after a name that ends in a
	 * number. The width of the field, which follows a blank, distinguishes them. */
	width = field.len - rest.len;
	if (is_digits(word) && (head->has_time || width > PERIOD_WIDTH)) {
		head->has_period = number_parse(word, &head->period);
		word = line_word(&rest);
	}
	if (word.len < 2 || !text_ends(word, ":") || is_time(word))
		return false;
	head->event = (struct text){ word.ptr, word.len - 1 };
	head->rest = text_trim(rest);
	return true;
}

static bool read_head(struct text line, struct sample_head *head)
{
	struct text rest = line, word;

	while ((word = line_word(&rest)).len)
		if (is_thread(word) && read_fields(rest, head)) {
			head->comm = text_trim(
			    (struct text){ line.ptr, (size_t)(word.ptr - line.ptr) });
			return true;
		}
	return false;
}

/* Returns a name without an offset such as "+0x5b" at its end. */
static struct text without_offset(struct text t)
{
	static const char sign[] = "+0x";
	const char *plus = t.len ? memrchr(t.ptr, '+', t.len) : NULL;
	size_t len = plus ? (size_t)(plus - t.ptr) : t.len;
	uint64_t offset;

	return plus && len && text_begins(text_after(t, len), sign) &&
	               hex_parse(text_after(t, len + strlen(sign)), &offset)
	           ? (struct text){ t.ptr, len }
	           : t;
}

/* Removes the object in parentheses at the end of a line and returns it without them. The
 * object itself, like a function, can have parentheses, such as "(/tmp/a (deleted))". */
static struct text take_object(struct text *line)
{
	size_t depth = 0;

	if (!text_ends(*line, ")"))
		return TEXT("");
	for (size_t i = line->len; i-- > 0;) {
		depth += line->ptr[i] == ')';
		depth -= line->ptr[i] == '(';
		if (depth)
			continue;
		if (i && line->ptr[i - 1] != ' ' && line->ptr[i - 1] != '\t')
			break;
		struct text object = { line->ptr + i + 1, line->len - i - 2 };

		line->len = i;
		return object;
	}
	return TEXT("");
}

/* Reads a frame: an address, a function and an object. */
static bool read_frame(struct text line, struct stack_frame *frame)
{
	struct text address = line_word(&line);
	uint64_t ignored;

	line = text_trim(line);
	if (!hex_parse(address, &ignored) || !line.len)
		return false;
	*frame = (struct stack_frame){ .object = take_object(&line) };
	frame->name = without_offset(text_trim(line));
	return true;
}

/* Appends the name of a frame: that of its function or else of its object, and the line. */
static void put_frame(struct buf *out, const struct stack_frame *frame)
{
	if (frame->name.len && !text_is(frame->name, "[unknown]"))
		stack_put_function(out, frame->name);
	else
		stack_put_object(out, without_offset(frame->object));
	if (frame->line.len) {
		buf_str(out, " (");
		stack_put_function(out, frame->line);
		buf_byte(out, ')');
	}
}

/* Returns the line of a source file without the mark of an inlined function. */
static struct text without_mark(struct text t)
{
	static const char mark[] = " (inlined)";

	if (text_ends(t, mark))
		t.len -= strlen(mark);
	return t;
}

static bool take_line(struct script_reading *r, struct text *line)
{
	r->line++;
	return line_next(&r->rest, line);
}

/* Takes the lines of a stack and the empty line after it. */
static int take_stack(struct script_reading *r, struct fault *f)
{
	struct stack_frame frame;
	struct text line;

	while (take_line(r, &line)) {
		struct text content = text_trim(line);

		if (!content.len)
			return 0;
		if (read_frame(content, &frame))
			*VEC_ADD(r->frame, r->frames, r->frames_cap) = frame;
		else if (r->frames && text_begins(line, "  ")) /* -F +srcline */
			r->frame[r->frames - 1].line = without_mark(content);
		else
			return fault_set(f,
			    "%s:%zu: not a frame of a call stack, which has the fields ip "
			    "and sym",
			    r->s->name, r->line);
	}
	return fault_set(f,
	    "%s: the last stack has no empty line after it, so the file was cut off (if it "
	    "was not, append an empty line)",
	    r->s->name);
}

/* Takes the frames of a sample: in the lines that follow, or after the event. Other text
 * after the event is that of a tracepoint. */
static int take_frames(
    struct script_reading *r, const struct sample_head *head, struct fault *f)
{
	struct stack_frame frame;

	r->frames = 0;
	if (!head->rest.len || text_begins(r->rest, "\t"))
		return take_stack(r, f);
	if (read_frame(head->rest, &frame))
		*VEC_ADD(r->frame, r->frames, r->frames_cap) = frame;
	return 0;
}

/* Sets *event to the number of an event. Returns 0, or -1 and the message. */
static int find_event(struct script_reading *r, const struct sample_head *head,
    size_t *event, struct fault *f)
{
	size_t before = r->events.count;

	*event = intern_add(&r->events, head->event);
	if (*event == before)
		*VEC_ADD(r->has_period, before, r->has_period_cap) = head->has_period;
	if (r->has_period[*event] == head->has_period)
		return 0;
	return fault_set(f,
	    "%s:%zu: only some samples of the event %.*s have a period: convert outputs of "
	    "perf script with different fields one by one",
	    r->s->name, r->line, (int)head->event.len, head->event.ptr);
}

static int add_sample(
    struct script_reading *r, const struct sample_head *head, struct fault *f)
{
	size_t before = r->keys.count, event, number;
	struct buf *key = &r->key;

	if (find_event(r, head, &event, f) < 0 || take_frames(r, head, f) < 0)
		return -1;
	if (before == UINT32_MAX - 1)
		return fault_set(f, "%s: too many stacks", r->s->name);
	r->has_frames |= r->frames > 0;
	key->len = 0;
	buf_put(key, &event, sizeof(event));
	buf_text(key, head->comm);
	buf_byte(key, '\0');
	for (size_t i = r->frames; i-- > 0;) {
		put_frame(key, &r->frame[i]);
		if (i)
			buf_byte(key, ';');
	}
	if (!r->frames)
		put_frame(key, &(struct stack_frame){ .line = TEXT("") });
	number = intern_add(&r->keys, text_in(key));
	if (number == before)
		*VEC_ADD(r->sums, before, r->sums_cap) =
		    (struct stack_sums){ .event = event };
	r->sums[number].samples++;
	r->sums[number].periods += head->period;
	return 0;
}

/* Sets value to the text of a line of the header such as "# hostname : box". */
static bool take_fact(struct text line, const char *name, struct text *value)
{
	struct text before = text_until(&line, ':');

	if (!text_begins(before, "# ") || !text_is(text_trim(text_after(before, 2)), name))
		return false;
	*value = text_trim(line);
	return true;
}

static void see_comment(struct script_reading *r, struct text line)
{
	struct text value;

	if (take_fact(line, "captured on", &value)) {
		r->headers++;
		perf_local_time(value, r->captured);
	} else
		take_fact(line, "hostname", &r->host);
}

/* Returns whether a line has no sample. The name of a thread can begin with "#". */
static bool is_between(struct text line)
{
	return !text_trim(line).len || text_is(line, "#") || text_begins(line, "# ");
}

/* Takes all samples of a file. */
static int take_samples(struct script_reading *r, struct fault *f)
{
	struct sample_head head;
	struct text line;

	while (take_line(r, &line)) {
		if (is_between(line))
			see_comment(r, line);
		else if (!read_head(line, &head))
			return fault_set(f, WRONG_SAMPLE, r->s->name, r->line);
		else if (add_sample(r, &head, f) < 0)
			return -1;
	}
	if (r->events.count && !r->has_frames)
		return fault_set(f,
		    "%s: no sample has a call stack or a function: perf script must print "
		    "the fields ip and sym",
		    r->s->name);
	return 0;
}

/* Returns the unit of the periods of an event. */
static struct text period_unit(struct text event)
{
	struct text name = text_until(&event, ':');

	return text_is(name, "cpu-clock") || text_is(name, "task-clock") ? TEXT("ns")
	                                                                 : TEXT("1");
}

/* Adds the rows of a stack. The event is first, because a flame graph shows the first
 * metric, and only those of events are never of two events. */
static int put_stack(
    const struct script_reading *r, size_t number, struct row_builder *out, struct fault *f)
{
	const struct stack_sums *sums = &r->sums[number];
	struct text event = intern_text(&r->events, sums->event);
	struct text stack = text_after(intern_text(&r->keys, number), sizeof(sums->event));
	struct text comm = text_until(&stack, '\0');

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	if (r->headers == 1) {
		row_builder_set(out, COL_HOST, r->host);
		row_builder_set(out, COL_TIME, text_of(r->captured));
	}
	row_builder_factor(out, TEXT("comm"), comm);
	if (r->events.count > 1)
		row_builder_factor(out, TEXT("event"), event);
	row_builder_factor(out, TEXT("stack"), stack);
	out->row.sample = 0;
	if (r->has_period[sums->event] &&
	    row_builder_put(out, event, period_unit(event), sums->periods, f) < 0)
		return -1;
	return row_builder_put(out, TEXT("samples"), TEXT("1"), sums->samples, f);
}

static void note_events(const struct script_reading *r, struct row_builder *out)
{
	struct text first;

	if (r->events.count < 2 || out->conditions)
		return;
	first = intern_text(&r->events, 0);
	row_builder_note(out,
	    "%s: samples of %zu events, which the factor event names: select one, such as "
	    "--filter event=%.*s",
	    r->s->name, r->events.count, (int)first.len, first.ptr);
}

static int perf_script_read(
    const struct source *s, struct row_builder *out, struct fault *f)
{
	struct script_reading r = { .s = s, .rest = s->text };
	int status = take_samples(&r, f);

	if (status == 0)
		note_events(&r, out);
	for (size_t i = 0; i < r.keys.count && status == 0; i++)
		status = put_stack(&r, i, out, f);
	intern_free(&r.keys);
	buf_free(&r.key);
	free(r.frame);
	intern_free(&r.events);
	free(r.has_period);
	free(r.sums);
	return status;
}

/* Returns whether a line is a sample with a time, which perf prints by default, and a
 * frame: without them, text of any program could look like a sample. */
static bool is_certain(struct text line, struct text rest)
{
	struct sample_head head;
	struct stack_frame frame;
	struct text next;

	return read_head(line, &head) && head.has_time &&
	       (read_frame(head.rest, &frame) ||
	           (line_next(&rest, &next) && read_frame(next, &frame)));
}

static bool perf_script_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	if (s->doc)
		return false;
	for (int i = 0; i < PERF_RECOGNIZED_LINES && line_next(&rest, &line); i++)
		if (is_certain(line, rest))
			return true;
	return false;
}

const struct format format_perf_script = { .name = "perf-script",
	.meaning = "call stacks that perf script prints",
	.whole_lines = true,
	.recognize = perf_script_recognize,
	.read = perf_script_read };
