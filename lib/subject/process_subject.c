/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the processes of --pid; see process_subject.h.
 */
#include <stdlib.h>
#include <string.h>

#include "subject/process_subject.h"
#include "text/units.h"

enum { PID_MOST = 1 << 22 }; /* PID_MAX_LIMIT of the kernel */

/* Reads the next number of a list, whose rest is NULL at its end. Returns 0, or -1 and the
 * message. */
static int next_pid(const char **rest, pid_t *pid, struct fault *f)
{
	const size_t len = strcspn(*rest, ",");
	uint64_t number;

	if (!bits_parse((struct text){ *rest, len }, &number) || !number ||
	    number > PID_MOST)
		return fault_set(f,
		    "--pid: '%.*s' is not the number of a process, such as 4711 (pgrep -d, "
		    "NAME lists those of a program)",
		    (int)(len < 40 ? len : 40), *rest);
	*pid = (pid_t)number;
	*rest = (*rest)[len] ? *rest + len + 1 : NULL;
	return 0;
}

/* Opens one process more. Returns 0, or -1 and the reason why it cannot be measured. */
static int add_process(struct process_subject *s, pid_t pid, struct fault *why)
{
	struct running_process *p = running_process_open(pid, why);

	if (!p)
		return -1;
	s->process = mem_resize(s->process, s->count + 1, sizeof(*s->process));
	s->process[s->count++] = p;
	return 0;
}

static bool has_process(const pid_t *pid, size_t count, pid_t one)
{
	for (size_t i = 0; i < count; i++)
		if (pid[i] == one)
			return true;
	return false;
}

/* Parses a list of numbers, which is allocated. Returns 0, or -1 and the message. */
static int read_pids(const char *list, pid_t **pid, size_t *count, struct fault *f)
{
	size_t cap = 0;

	*pid = NULL;
	*count = 0;
	for (const char *rest = list; rest;) {
		pid_t next = 0;

		if (next_pid(&rest, &next, f) < 0)
			return -1;
		if (has_process(*pid, *count, next))
			return fault_set(
			    f, "--pid %s: process %d is given twice", list, (int)next);
		*VEC_ADD(*pid, *count, cap) = next;
	}
	return 0;
}

/* Names a subject after its commands, each once. */
static char *name_processes(const struct process_subject *s)
{
	struct buf name = { 0 };

	for (size_t i = 0; i < s->count; i++) {
		const char *own = running_process_name(s->process[i]);
		bool known = false;

		for (size_t k = 0; k < i; k++)
			known =
			    known || strcmp(own, running_process_name(s->process[k])) == 0;
		if (!known)
			buf_printf(&name, "%s%s", name.len ? "+" : "", own);
	}
	return name.ptr;
}

int process_template_add(struct templates *list, const char *pids,
    const struct window_length *length, struct fault *f)
{
	struct template t = { .kind = KIND_PROCESS };
	struct fault why;
	size_t count;
	pid_t *pid;
	int status = read_pids(pids, &pid, &count, f);

	if (status == 0)
		status = window_length_add(&t, length, f);
	if (status == 0) {
		t.processes = mem_zero(1, sizeof(*t.processes));
		t.processes->window_ns = window_length_ns(length);
		for (size_t i = 0; i < count && !t.absent; i++)
			if (add_process(t.processes, pid[i], &why) < 0)
				template_set_absent(&t, &why);
		t.bench =
		    t.absent ? str_format("process %s", pids) : name_processes(t.processes);
		*VEC_ADD(list->item, list->count, list->cap) = t;
	}
	free(pid);
	return status;
}

void process_subject_free(struct process_subject *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++)
		running_process_close(s->process[i]);
	free(s->process);
	free(s);
}
