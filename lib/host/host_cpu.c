/*
 * Facts of the processor: what it is, how its cores hang together, and what moves its
 * clock. Where processors differ (a big and a little core), the first one speaks for its
 * caches.
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

void read_cpuinfo(struct host_source *s, const char *arg, struct buf *out)
{
	if (s->cpuinfo.ptr)
		buf_text(out,
		    key_value((struct text){ s->cpuinfo.ptr, s->cpuinfo.len }, arg, ':'));
}

void read_list_size(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf line = { 0 };
	size_t count = 0;

	if (tree_line(&s->tree, arg, &line))
		count = cpu_list_parse((struct text){ line.ptr, line.len }, NULL);
	if (count)
		put_value(out, (double)count);
	buf_free(&line);
}

void read_threads(struct host_source *s, const char *arg, struct buf *out)
{
	(void)arg;
	read_list_size(s, CPU "online", out);
}

/*
 * Every processor names its siblings in the same core or package; one read for each such
 * group, not for each processor, keeps this quick on large machines.
 */
static size_t sibling_groups(struct host_source *s, const char *file)
{
	bool *online = mem_zero(CPUS_MAX, sizeof(bool)),
	     *seen = mem_zero(CPUS_MAX, sizeof(bool));
	struct buf line = { 0 }, path = { 0 };
	size_t groups = 0;

	if (tree_line(&s->tree, CPU "online", &line))
		cpu_list_parse((struct text){ line.ptr, line.len }, online);
	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!online[cpu] || seen[cpu])
			continue;
		path.len = line.len = 0;
		buf_printf(&path, CPU "cpu%u/topology/%s", cpu, file);
		if (!tree_line(&s->tree, path.ptr, &line)) {
			groups = 0;
			break;
		}
		cpu_list_parse((struct text){ line.ptr, line.len }, seen);
		groups++;
	}
	free(online);
	free(seen);
	buf_free(&line);
	buf_free(&path);
	return groups;
}

void read_siblings(struct host_source *s, const char *arg, struct buf *out)
{
	size_t groups = sibling_groups(s, arg);

	if (groups)
		put_value(out, (double)groups);
}

void read_smt(struct host_source *s, const char *arg, struct buf *out)
{
	double active;

	(void)arg;
	if (tree_number(&s->tree, CPU "smt/active", &active))
		buf_str(out, active > 0 ? "on" : "off");
}

/* "48K", "2M": the kernel's own spelling, powers of 1024. */
static double size_of(const char *s)
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
	return tree_line(&s->tree, path, out);
}

static void read_caches(struct host_source *s)
{
	for (size_t i = 0; i < COUNT(s->cache); i++) {
		struct buf *sort = &s->cache[i].sort, size = { 0 };

		if (!cache_part(s, i, "level", sort))
			return;
		s->caches++;
		buf_byte(sort, ' ');
		if (cache_part(s, i, "type", sort) && cache_part(s, i, "size", &size))
			s->cache[i].size_bytes = size_of(size.ptr);
		buf_free(&size);
	}
}

void read_cache(struct host_source *s, const char *arg, struct buf *out)
{
	if (!s->caches)
		read_caches(s);
	for (size_t i = 0; i < s->caches; i++)
		if (strcmp(s->cache[i].sort.ptr, arg) == 0 && s->cache[i].size_bytes > 0)
			put_value(out, s->cache[i].size_bytes);
}

void read_turbo(struct host_source *s, const char *arg, struct buf *out)
{
	double flag;

	(void)arg;
	if (tree_number(&s->tree, CPU "intel_pstate/no_turbo", &flag))
		buf_str(out, flag > 0 ? "off" : "on");
	else if (tree_number(&s->tree, CPU "cpufreq/boost", &flag))
		buf_str(out, flag > 0 ? "on" : "off");
}

static bool holds(char *const *line, size_t count, const char *wanted)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(line[i], wanted) == 0)
			return true;
	return false;
}

void read_policies(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf path = { 0 }, line = { 0 };
	char **names, **seen = NULL;
	size_t count = tree_names(&s->tree, CPU "cpufreq", &names), seens = 0, cap = 0;

	for (size_t i = 0; i < count; i++) {
		path.len = line.len = 0;
		buf_printf(&path, CPU "cpufreq/%s/%s", names[i], arg);
		if (!tree_line(&s->tree, path.ptr, &line) || !line.len ||
		    holds(seen, seens, line.ptr))
			continue;
		*VEC_ADD(seen, seens, cap) = str_copy(line.ptr);
		if (out->len)
			buf_byte(out, ' ');
		buf_text(out, (struct text){ line.ptr, line.len });
	}
	dir_names_free(names, count);
	dir_names_free(seen, seens);
	buf_free(&path);
	buf_free(&line);
}

void read_mitigations(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf path = { 0 }, line = { 0 };
	char **names;
	size_t count = tree_names(&s->tree, CPU "vulnerabilities", &names);

	(void)arg;
	for (size_t i = 0; i < count; i++) {
		path.len = line.len = 0;
		buf_printf(&path, CPU "vulnerabilities/%s", names[i]);
		if (!tree_line(&s->tree, path.ptr, &line) || !line.len ||
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

void read_frequency(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf mhz = { 0 };
	double number;

	(void)arg;
	if (tree_number(&s->tree, CPU "cpu0/cpufreq/scaling_cur_freq", &number)) {
		put_value(out, number * 1000);
	} else {
		read_cpuinfo(s, "cpu MHz", &mhz);
		if (mhz.len && number_parse((struct text){ mhz.ptr, mhz.len }, &number))
			put_value(out, round(number * 1e6));
		buf_free(&mhz);
	}
}

void read_throttled(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf path = { 0 };
	char **names;
	size_t count = tree_names(&s->tree, "sys/devices/system/cpu", &names);
	double sum = 0, number;
	bool there = false;

	(void)arg;
	for (size_t i = 0; i < count; i++) {
		path.len = 0;
		buf_printf(&path, CPU "%s/thermal_throttle/core_throttle_count", names[i]);
		if (!tree_number(&s->tree, path.ptr, &number))
			continue;
		there = true;
		sum += number;
	}
	if (there)
		put_value(out, sum);
	dir_names_free(names, count);
	buf_free(&path);
}

/*
 * The hottest of the sensors in a directory whose name file holds one of the words, in
 * thousandths of a degree; NAN when there is none.
 */
static double hottest(struct host_source *s, const char *dir, const char *name_file,
    const char *value_file, const char *words)
{
	struct buf path = { 0 }, name = { 0 };
	char **names;
	size_t count = tree_names(&s->tree, dir, &names);
	double most = NAN, number;

	for (size_t i = 0; i < count; i++) {
		path.len = name.len = 0;
		buf_printf(&path, "%s/%s/%s", dir, names[i], name_file);
		buf_byte(&name, '|');
		if (!tree_line(&s->tree, path.ptr, &name))
			continue;
		buf_byte(&name, '|');
		path.len = 0;
		buf_printf(&path, "%s/%s/%s", dir, names[i], value_file);
		if (strstr(words, name.ptr) && tree_number(&s->tree, path.ptr, &number))
			most = fmax(most, number);
	}
	dir_names_free(names, count);
	buf_free(&path);
	buf_free(&name);
	return most;
}

void read_temperature(struct host_source *s, const char *arg, struct buf *out)
{
	double zone = hottest(s, "sys/class/thermal", "type", "temp",
	    "|x86_pkg_temp|cpu-thermal|cpu_thermal|soc-thermal|soc_thermal|");
	double chip = hottest(s, "sys/class/hwmon", "name", "temp1_input",
	    "|coretemp|k10temp|zenpower|cpu_thermal|");
	double most = fmax(zone, chip);

	(void)arg;
	if (isfinite(most))
		put_value(out, most / 1000);
}
