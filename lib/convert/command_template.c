/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Templates of commands; see command_template.h.
 */
#include <stdlib.h>

#include "convert/command_template.h"

/* A place where the value of a parameter begins in a command. */
struct occurrence {
	size_t at;
	const struct command_parameter *parameter;
};

/* A command has at most two to the power of OCCURRENCES_MAX candidates. */
enum { OCCURRENCES_MAX = 6, COMMAND_MAX = 4096 };

struct occurrences {
	struct text command;
	struct occurrence of[OCCURRENCES_MAX];
	size_t count;
};

static bool is_word(char c)
{
	return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/* Returns whether a value is at this place, and, if `words`, not within a word. */
static bool occurs(struct text command, size_t at, struct text value, bool words)
{
	size_t end = at + value.len;

	return value.len && end <= command.len &&
	       memcmp(command.ptr + at, value.ptr, value.len) == 0 &&
	       (!words || ((at == 0 || !is_word(command.ptr[at - 1])) &&
	                      (end == command.len || !is_word(command.ptr[end]))));
}

/* Finds where the values of the parameters are, in order. Returns false if there are too
 * many places. */
static bool find_places(struct occurrences *o, const struct command_parameter *parameter,
    size_t parameters, bool words)
{
	o->count = 0;
	for (size_t at = 0; at < o->command.len; at++)
		for (size_t i = 0; i < parameters; i++) {
			if (!occurs(o->command, at, parameter[i].value, words))
				continue;
			if (o->count == OCCURRENCES_MAX)
				return false;
			o->of[o->count++] = (struct occurrence){ at, &parameter[i] };
		}
	return true;
}

static bool find_occurrences(struct occurrences *o, struct text command,
    const struct command_parameter *parameter, size_t parameters)
{
	o->command = command;
	return command.len <= COMMAND_MAX &&
	       (find_places(o, parameter, parameters, false) ||
	           find_places(o, parameter, parameters, true)) &&
	       o->count;
}

/*
 * Makes the candidate in which the occurrences of a set of bits are parameters. Returns
 * their number, or 0 if two of them overlap.
 */
static size_t make_candidate(const struct occurrences *o, unsigned set, struct buf *out)
{
	size_t done = 0, used = 0;

	out->len = 0;
	for (size_t i = 0; i < o->count; i++) {
		const struct occurrence *place = &o->of[i];

		if (!(set >> i & 1))
			continue;
		if (place->at < done)
			return 0;
		buf_put(out, o->command.ptr + done, place->at - done);
		buf_byte(out, '{');
		buf_text(out, place->parameter->name);
		buf_byte(out, '}');
		done = place->at + place->parameter->value.len;
		used++;
	}
	buf_put(out, o->command.ptr + done, o->command.len - done);
	return used;
}

/* Returns whether this command with these parameters was not added before. */
static bool is_new(struct command_templates *t, struct text command,
    const struct command_parameter *parameter, size_t parameters)
{
	struct buf key = { 0 };
	size_t before = t->commands.count;

	buf_text(&key, command);
	for (size_t i = 0; i < parameters; i++) {
		buf_byte(&key, '\0');
		buf_text(&key, parameter[i].value);
	}
	intern_add(&t->commands, text_in(&key));
	buf_free(&key);
	return t->commands.count > before;
}

void command_templates_add(struct command_templates *t, struct text command,
    const struct command_parameter *parameter, size_t parameters)
{
	struct occurrences o;
	struct buf b = { 0 };

	if (!is_new(t, command, parameter, parameters) ||
	    !find_occurrences(&o, command, parameter, parameters))
		return;
	for (unsigned set = 1; set < 1U << o.count; set++) {
		size_t number;

		if (!make_candidate(&o, set, &b))
			continue;
		number = intern_add(&t->candidates, text_in(&b));
		if (number == t->count)
			*VEC_ADD(t->uses, t->count, t->cap) = 0;
		t->uses[number]++;
	}
	buf_free(&b);
}

void command_templates_find(const struct command_templates *t, struct text command,
    const struct command_parameter *parameter, size_t parameters, struct buf *out)
{
	size_t most_uses = 1, most_used = 0;
	struct text best = command;
	struct occurrences o = { 0 };
	struct buf b = { 0 };

	if (!find_occurrences(&o, command, parameter, parameters))
		o.count = 0;
	for (unsigned set = 1; set < 1U << o.count; set++) {
		size_t used = make_candidate(&o, set, &b);
		long number =
		    used ? intern_find(&t->candidates, text_in(&b)) : -1;

		if (number < 0 || t->uses[number] < 2 || t->uses[number] < most_uses ||
		    (t->uses[number] == most_uses && used <= most_used))
			continue;
		most_uses = t->uses[number];
		most_used = used;
		best = intern_text(&t->candidates, (size_t)number);
	}
	buf_text(out, best);
	buf_free(&b);
}

void command_templates_free(struct command_templates *t)
{
	intern_free(&t->commands);
	intern_free(&t->candidates);
	free(t->uses);
}
