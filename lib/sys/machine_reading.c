/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The use of the machine; see machine_reading.h.
 *
 * Storage is pgpgin and pgpgout of /proc/vmstat: the kernel counts each request once, when
 * a file system or program makes it, so partitions and devices that consist of others
 * (RAID, LVM) do not count twice. The network interfaces that count are those with a
 * device: not the loopback interface, bridges, tunnels, and those of containers, whose
 * bytes would pass another interface as well, or none.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "sys/cpu_ticks.h"
#include "sys/machine_reading.h"
#include "sys/procfs.h"
#include "text/number_set.h"

enum { FILE_BYTES_MAX = 1 << 20 };

double machine_reading_tick_ns(void)
{
	return 1e9 / (double)sysconf(_SC_CLK_TCK);
}

/* Reads a whole file. Returns false, and an empty text, if it cannot be read. */
static bool read_file(const struct kernel_files *files, const char *path, struct buf *text)
{
	text->len = 0;
	if (kernel_file_read_up_to(files, path, FILE_BYTES_MAX, text))
		return true;
	text->len = 0;
	return false;
}

static struct cpu_times times_of(const struct cpu_ticks *t)
{
	const double tick_ns = machine_reading_tick_ns();

	return (struct cpu_times){ .user = t->user * tick_ns,
		.sys = t->system * tick_ns,
		.idle = (t->idle - t->iowait) * tick_ns,
		.iowait = t->iowait * tick_ns,
		.steal = t->steal * tick_ns };
}

/* Returns a count with a factor, or NAN. */
static double count_of(const struct buf *file, const char *key, double factor)
{
	uint64_t n;

	return file->len && procfs_count(text_in(file), key, &n) ? (double)n * factor
	                                                             : (double)NAN;
}

static double memory_of(const struct buf *meminfo)
{
	uint64_t total, available;

	if (!meminfo->len || !procfs_value(text_in(meminfo), "MemTotal", &total) ||
	    !procfs_value(text_in(meminfo), "MemAvailable", &available) ||
	    available > total)
		return NAN;
	return (double)(total - available) * 1024;
}

/* Reads /proc/stat. Returns false if it lacks the times of processors. */
static bool read_stat(
    const struct kernel_files *files, struct machine_reading *out, struct buf *text)
{
	struct cpu_ticks ticks;
	struct text rest;
	unsigned number;

	if (!read_file(files, "proc/stat", text) ||
	    !cpu_ticks_parse(text_in(text), "cpu", &ticks))
		return false;
	out->time = times_of(&ticks);
	rest = text_in(text);
	while (cpu_ticks_next(&rest, &number, &ticks))
		if (!out->cpus || out->cpu[out->cpus - 1].number < number)
			*VEC_ADD(out->cpu, out->cpus, out->cpu_cap) =
			    (struct machine_cpu){ number, times_of(&ticks) };
	out->switches = count_of(text, "ctxt", 1);
	out->forks = count_of(text, "processes", 1);
	return out->cpus > 0;
}

/* Returns whether an interface belongs to a device. */
static bool has_device(const struct kernel_files *files, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "sys/class/net/%s/device", name);
	return kernel_file_exists(files, path);
}

/* Reads a line of /proc/net/dev: the name, bytes received, seven other counts, and bytes
 * sent. */
static bool read_link(struct text line, struct machine_link *out)
{
	enum { BETWEEN = 7 };
	const char *colon = line.len ? memchr(line.ptr, ':', line.len) : NULL;
	struct text name, rest;
	uint64_t other;

	if (!colon)
		return false;
	name = text_trim((struct text){ line.ptr, (size_t)(colon - line.ptr) });
	rest = (struct text){ colon + 1, line.len - (size_t)(colon + 1 - line.ptr) };
	if (!name.len || name.len >= sizeof(out->name) ||
	    !procfs_next(&rest, &out->received))
		return false;
	for (int i = 0; i < BETWEEN; i++)
		if (!procfs_next(&rest, &other))
			return false;
	memcpy(out->name, name.ptr, name.len);
	out->name[name.len] = '\0';
	return procfs_next(&rest, &out->sent);
}

static void read_links(
    const struct kernel_files *files, struct machine_reading *out, struct buf *text)
{
	struct text rest;

	if (!read_file(files, "proc/net/dev", text))
		return;
	for (rest = text_in(text); rest.len;) {
		struct machine_link link;

		if (read_link(text_next_line(&rest), &link) && has_device(files, link.name))
			*VEC_ADD(out->link, out->links, out->link_cap) = link;
	}
}

int machine_reading_take(
    const struct kernel_files *files, struct machine_reading *out, struct fault *f)
{
	struct buf text = { 0 };
	int status = 0;

	*out = (struct machine_reading){ .cpu = out->cpu,
		.cpu_cap = out->cpu_cap,
		.link = out->link,
		.link_cap = out->link_cap,
		.at_ns = clock_monotonic_ns() };
	if (!read_stat(files, out, &text))
		status = fault_set(
		    f, "/proc/stat cannot be read, or lacks the times of processors");
	out->more_at_ns = clock_monotonic_ns();
	read_file(files, "proc/vmstat", &text);
	out->faults = count_of(&text, "pgfault", 1);
	out->major_faults = count_of(&text, "pgmajfault", 1);
	out->read_bytes = count_of(&text, "pgpgin", 1024);
	out->written_bytes = count_of(&text, "pgpgout", 1024);
	read_links(files, out, &text);
	read_file(files, "proc/meminfo", &text);
	out->memory_bytes = memory_of(&text);
	buf_free(&text);
	return status;
}

void machine_reading_keep(struct machine_reading *r, const bool *cpus)
{
	struct cpu_times sum = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < r->cpus; i++) {
		const struct cpu_times *t = &r->cpu[i].time;

		if (r->cpu[i].number >= CPUS_MAX || !cpus[r->cpu[i].number])
			continue;
		sum.user += t->user;
		sum.sys += t->sys;
		sum.idle += t->idle;
		sum.iowait += t->iowait;
		sum.steal += t->steal;
		r->cpu[kept++] = r->cpu[i];
	}
	r->cpus = kept;
	r->links = 0;
	r->time = kept ? sum : (struct cpu_times){ NAN, NAN, NAN, NAN, NAN };
	r->switches = r->forks = r->faults = r->major_faults = NAN;
	r->read_bytes = r->written_bytes = r->memory_bytes = NAN;
}

void machine_reading_free(struct machine_reading *r)
{
	free(r->cpu);
	free(r->link);
	*r = (struct machine_reading){ 0 };
}

bool machine_reading_same_cpus(
    const struct machine_reading *a, const struct machine_reading *b)
{
	if (a->cpus != b->cpus)
		return false;
	for (size_t i = 0; i < a->cpus; i++)
		if (a->cpu[i].number != b->cpu[i].number)
			return false;
	return true;
}

static int by_number(const void *a, const void *b)
{
	const struct machine_cpu *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

const struct machine_cpu *machine_reading_cpu(
    const struct machine_reading *r, unsigned number)
{
	const struct machine_cpu key = { .number = number };

	return r->cpus ? bsearch(&key, r->cpu, r->cpus, sizeof(key), by_number) : NULL;
}

static double time_between(double from, double to)
{
	return to >= from ? to - from : (double)NAN;
}

struct cpu_times cpu_times_between(const struct cpu_times *from, const struct cpu_times *to)
{
	return (struct cpu_times){ .user = time_between(from->user, to->user),
		.sys = time_between(from->sys, to->sys),
		.idle = time_between(from->idle, to->idle),
		.iowait = time_between(from->iowait, to->iowait),
		.steal = time_between(from->steal, to->steal) };
}

void machine_reading_network(const struct machine_reading *from,
    const struct machine_reading *to, double *received, double *sent)
{
	*received = *sent = from->links && from->links == to->links ? 0 : NAN;
	for (size_t i = 0; i < from->links && !isnan(*sent); i++) {
		const struct machine_link *a = &from->link[i], *b = &to->link[i];

		if (strcmp(a->name, b->name) != 0 || b->received < a->received ||
		    b->sent < a->sent) {
			*received = *sent = NAN;
			return;
		}
		*received += (double)(b->received - a->received);
		*sent += (double)(b->sent - a->sent);
	}
}
