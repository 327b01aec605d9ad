/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readers of facts about the processor: model, topology, caches, clock, temperature. If
 * processors differ (big and little cores), the caches are those of processor 0.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dir_names.h"
#include "host/host_read.h"
#include "text/number_set.h"
#include "text/units.h"

#define CPU "sys/devices/system/cpu/"

void host_read_cpuinfo(struct host_source *s, const char *arg, struct buf *out)
{
	if (s->cpuinfo.ptr)
		buf_text(
		    out, host_key_value(
		             text_in(&s->cpuinfo), arg, ':'));
}

void host_read_list_size(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf line = { 0 };
	size_t count = 0;

	if (kernel_file_line(&s->files, arg, &line))
		count = cpu_list_parse(text_in(&line), NULL);
	if (count)
		host_put_value(out, (double)count);
	buf_free(&line);
}

void host_read_threads(struct host_source *s, const char *arg, struct buf *out)
{
	(void)arg;
	host_read_list_size(s, CPU "online", out);
}

/*
 * Returns the number of groups of siblings (cores or packages), or 0 if it is unknown.
 * Reads one file for each group and not for each processor, which is fast on large
 * machines.
 */
static size_t sibling_groups(struct host_source *s, const char *file)
{
	bool *online = mem_zero(CPUS_MAX, sizeof(bool)),
	     *seen = mem_zero(CPUS_MAX, sizeof(bool));
	struct buf line = { 0 }, path = { 0 };
	size_t groups = 0;

	if (kernel_file_line(&s->files, CPU "online", &line))
		cpu_list_parse(text_in(&line), online);
	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!online[cpu] || seen[cpu])
			continue;
		path.len = line.len = 0;
		buf_printf(&path, CPU "cpu%u/topology/%s", cpu, file);
		if (!kernel_file_line(&s->files, path.ptr, &line)) {
			groups = 0;
			break;
		}
		cpu_list_parse(text_in(&line), seen);
		groups++;
	}
	free(online);
	free(seen);
	buf_free(&line);
	buf_free(&path);
	return groups;
}

void host_read_siblings(struct host_source *s, const char *arg, struct buf *out)
{
	size_t groups = sibling_groups(s, arg);

	if (groups)
		host_put_value(out, (double)groups);
}

void host_read_smt(struct host_source *s, const char *arg, struct buf *out)
{
	double active;

	(void)arg;
	if (kernel_file_number(&s->files, CPU "smt/active", &active))
		buf_str(out, active > 0 ? "on" : "off");
}

/* Parses a size as the kernel prints it: "48K", "2M", in powers of 1024. */
static double parse_size(const char *s)
{
	char *unit;
	double bytes = (double)strtoull(s, &unit, 10);

	return *unit == 'K' ? bytes * 1024 : *unit == 'M' ? bytes * 1024 * 1024 : bytes;
}

static bool cache_part(
    struct host_source *s, size_t index, const char *file, struct buf *out)
{
	char path[128];

	snprintf(path, sizeof(path), CPU "cpu0/cache/index%zu/%s", index, file);
	return kernel_file_line(&s->files, path, out);
}

static void read_caches(struct host_source *s)
{
	for (size_t i = 0; i < COUNT(s->cache); i++) {
		struct buf *name = &s->cache[i].name, size = { 0 };

		if (!cache_part(s, i, "level", name))
			return;
		s->caches++;
		buf_byte(name, ' ');
		if (cache_part(s, i, "type", name) && cache_part(s, i, "size", &size))
			s->cache[i].size_bytes = parse_size(size.ptr);
		buf_free(&size);
	}
}

void host_read_cache(struct host_source *s, const char *arg, struct buf *out)
{
	if (!s->caches)
		read_caches(s);
	for (size_t i = 0; i < s->caches; i++)
		if (strcmp(s->cache[i].name.ptr, arg) == 0 && s->cache[i].size_bytes > 0)
			host_put_value(out, s->cache[i].size_bytes);
}

void host_read_turbo(struct host_source *s, const char *arg, struct buf *out)
{
	double flag;

	(void)arg;
	if (kernel_file_number(&s->files, CPU "intel_pstate/no_turbo", &flag))
		buf_str(out, flag > 0 ? "off" : "on");
	else if (kernel_file_number(&s->files, CPU "cpufreq/boost", &flag))
		buf_str(out, flag > 0 ? "on" : "off");
}

static bool contains_line(char *const *line, size_t count, const char *wanted)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(line[i], wanted) == 0)
			return true;
	return false;
}

void host_read_policies(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf path = { 0 }, line = { 0 };
	char **names, **seen = NULL;
	size_t count = kernel_dir_names(&s->files, CPU "cpufreq", &names), seens = 0,
	       cap = 0;

	for (size_t i = 0; i < count; i++) {
		path.len = line.len = 0;
		buf_printf(&path, CPU "cpufreq/%s/%s", names[i], arg);
		if (!kernel_file_line(&s->files, path.ptr, &line) || !line.len ||
		    contains_line(seen, seens, line.ptr))
			continue;
		*VEC_ADD(seen, seens, cap) = str_copy(line.ptr);
		if (out->len)
			buf_byte(out, ' ');
		buf_text(out, text_in(&line));
	}
	dir_names_free(names, count);
	dir_names_free(seen, seens);
	buf_free(&path);
	buf_free(&line);
}

void host_read_mitigations(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf path = { 0 }, line = { 0 };
	char **names;
	size_t count = kernel_dir_names(&s->files, CPU "vulnerabilities", &names);

	(void)arg;
	for (size_t i = 0; i < count; i++) {
		path.len = line.len = 0;
		buf_printf(&path, CPU "vulnerabilities/%s", names[i]);
		if (!kernel_file_line(&s->files, path.ptr, &line) || !line.len ||
		    strcmp(line.ptr, "Not affected") == 0)
			continue;
		buf_printf(out, "%s%s: %s", out->len ? ". " : "", names[i], line.ptr);
	}
	if (count && !out->len)
		buf_str(out, "none needed");
	dir_names_free(names, count);
	buf_free(&path);
	buf_free(&line);
}

void host_read_frequency(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf mhz = { 0 };
	double number;

	(void)arg;
	if (kernel_file_number(&s->files, CPU "cpu0/cpufreq/scaling_cur_freq", &number)) {
		host_put_value(out, number * 1000);
	} else {
		host_read_cpuinfo(s, "cpu MHz", &mhz);
		if (mhz.len && number_parse(text_in(&mhz), &number))
			host_put_value(out, round(number * 1e6));
		buf_free(&mhz);
	}
}

void host_read_throttled(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf path = { 0 };
	char **names;
	size_t count = kernel_dir_names(&s->files, "sys/devices/system/cpu", &names);
	double sum = 0, number;
	bool there = false;

	(void)arg;
	for (size_t i = 0; i < count; i++) {
		path.len = 0;
		buf_printf(&path, CPU "%s/thermal_throttle/core_throttle_count", names[i]);
		if (!kernel_file_number(&s->files, path.ptr, &number))
			continue;
		there = true;
		sum += number;
	}
	if (there)
		host_put_value(out, sum);
	dir_names_free(names, count);
	buf_free(&path);
}

/*
 * Returns the temperature of the hottest sensor in a directory whose name file contains one
 * of the words, in thousandths of a degree, or NAN if there is none.
 */
static double read_hottest(struct host_source *s, const char *dir, const char *name_file,
    const char *value_file, const char *words)
{
	struct buf path = { 0 }, name = { 0 };
	char **names;
	size_t count = kernel_dir_names(&s->files, dir, &names);
	double most = NAN, number;

	for (size_t i = 0; i < count; i++) {
		path.len = name.len = 0;
		buf_printf(&path, "%s/%s/%s", dir, names[i], name_file);
		buf_byte(&name, '|');
		if (!kernel_file_line(&s->files, path.ptr, &name))
			continue;
		buf_byte(&name, '|');
		path.len = 0;
		buf_printf(&path, "%s/%s/%s", dir, names[i], value_file);
		if (strstr(words, name.ptr) &&
		    kernel_file_number(&s->files, path.ptr, &number))
			most = fmax(most, number);
	}
	dir_names_free(names, count);
	buf_free(&path);
	buf_free(&name);
	return most;
}

void host_read_temperature(struct host_source *s, const char *arg, struct buf *out)
{
	double zone = read_hottest(s, "sys/class/thermal", "type", "temp",
	    "|x86_pkg_temp|cpu-thermal|cpu_thermal|soc-thermal|soc_thermal|");
	double chip = read_hottest(s, "sys/class/hwmon", "name", "temp1_input",
	    "|coretemp|k10temp|zenpower|cpu_thermal|");
	double most = fmax(zone, chip);

	(void)arg;
	if (isfinite(most))
		host_put_value(out, most / 1000);
}
