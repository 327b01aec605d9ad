/*
 * Reading facts from files: the ways in that all readers share, and the facts of the
 * system. The processor's are in host_cpu.c.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host_read.h"
#include "units.h"

enum { FILE_MAX_BYTES = 1 << 16, CPUINFO_BYTES = 1 << 13 };

static bool read_up_to(struct host_source *s, const char *path, size_t max, struct buf *out)
{
	int fd = openat(s->root, path, O_RDONLY | O_CLOEXEC);
	size_t end = out->len + max;
	ssize_t got = 0;

	if (fd < 0)
		return false;
	do {
		buf_room(out, 4096);
		got = read(fd, out->ptr + out->len, 4096);
		if (got > 0)
			out->len += (size_t)got;
	} while (out->len < end && (got > 0 || (got < 0 && errno == EINTR)));
	out->ptr[out->len] = '\0';
	close(fd);
	return got >= 0;
}

int source_open(struct host_source *s, const char *root, struct fault *f)
{
	*s = (struct host_source){ .live = strcmp(root, "/") == 0 };
	s->root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->root < 0)
		return fault_errno(f, "%s", root);
	read_up_to(s, "proc/cpuinfo", CPUINFO_BYTES, &s->cpuinfo);
	return 0;
}

void source_close(struct host_source *s)
{
	buf_free(&s->cpuinfo);
	for (size_t i = 0; i < s->caches; i++)
		buf_free(&s->cache[i].sort);
	close(s->root);
}

bool source_file(struct host_source *s, const char *path, struct buf *out)
{
	return read_up_to(s, path, FILE_MAX_BYTES, out);
}

bool source_exists(struct host_source *s, const char *path)
{
	return faccessat(s->root, path, F_OK, 0) == 0;
}

struct text text_trim(struct text t)
{
	for (; t.len && isspace((unsigned char)t.ptr[0]); t.ptr++)
		t.len--;
	while (t.len && isspace((unsigned char)t.ptr[t.len - 1]))
		t.len--;
	return t;
}

/* Cut the first line off a text of lines. */
static struct text next_line(struct text *lines)
{
	const char *end = memchr(lines->ptr, '\n', lines->len);
	struct text line = { lines->ptr, end ? (size_t)(end - lines->ptr) : lines->len };
	size_t used = line.len + (end != NULL);

	lines->ptr += used;
	lines->len -= used;
	return line;
}

bool source_line(struct host_source *s, const char *path, struct buf *out)
{
	struct buf b = { 0 };
	bool there = source_file(s, path, &b);
	struct text all = { b.ptr, b.len };

	if (there)
		buf_text(out, text_trim(next_line(&all)));
	buf_free(&b);
	return there;
}

bool source_number(struct host_source *s, const char *path, double *out)
{
	struct buf b = { 0 };
	bool there =
	    source_line(s, path, &b) && number_parse((struct text){ b.ptr, b.len }, out);

	buf_free(&b);
	return there;
}

static struct text one_key(struct text lines, struct text key, char separator)
{
	while (lines.len) {
		struct text line = next_line(&lines);
		const char *at = memchr(line.ptr, separator, line.len);
		size_t len = at ? (size_t)(at - line.ptr) : 0;

		if (at && text_equal(text_trim((struct text){ line.ptr, len }), key))
			return text_trim((struct text){ at + 1, line.len - len - 1 });
	}
	return (struct text){ 0 };
}

struct text key_value(struct text lines, const char *keys, char separator)
{
	struct text value = { 0 };

	for (size_t len; !value.len && *keys; keys += len + (keys[len] == '|')) {
		len = strcspn(keys, "|");
		value = one_key(lines, (struct text){ keys, len }, separator);
	}
	return value;
}

size_t list_mark(struct text list, bool *set)
{
	char *copy = mem_text(list.ptr, list.len), *rest = copy;
	size_t count = 0;

	while (isdigit((unsigned char)*rest)) {
		unsigned long first = strtoul(rest, &rest, 10), last = first;

		if (*rest == '-')
			last = strtoul(rest + 1, &rest, 10);
		for (; first <= last && first < CPUS_MAX; first++, count++)
			if (set)
				set[first] = true;
		if (*rest == ',')
			rest++;
	}
	free(copy);
	return count;
}

void list_put(struct buf *out, const bool *set)
{
	size_t start = out->len;

	for (unsigned first = 0; first < CPUS_MAX; first++) {
		unsigned last = first;

		if (!set[first])
			continue;
		while (last + 1 < CPUS_MAX && set[last + 1])
			last++;
		buf_printf(out, "%s%u", out->len > start ? "," : "", first);
		if (last > first)
			buf_printf(out, "-%u", last);
		first = last;
	}
	if (out->len == start)
		buf_str(out, "none");
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

size_t source_names(struct host_source *s, const char *path, char ***names)
{
	int fd = openat(s->root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	size_t count = 0, cap = 0;

	*names = NULL;
	if (!dir)
		return 0;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			*VEC_ADD(*names, count, cap) = str_copy(entry->d_name);
	closedir(dir);
	if (count)
		qsort(*names, count, sizeof(**names), by_name);
	return count;
}

void source_names_free(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

void put_value(struct buf *out, double x)
{
	char text[NUMBER_TEXT_MAX];

	buf_put(out, text, number_print(text, x));
}

void read_line(struct host_source *s, const char *arg, struct buf *out)
{
	source_line(s, arg, out);
}

void read_list(struct host_source *s, const char *arg, struct buf *out)
{
	if (source_line(s, arg, out) && !out->len)
		buf_str(out, "none");
}

void read_chosen(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf line = { 0 };
	const char *open, *close;

	if (source_line(s, arg, &line) && (open = strchr(line.ptr, '[')) &&
	    (close = strchr(open, ']')))
		buf_put(out, open + 1, (size_t)(close - open) - 1);
	buf_free(&line);
}

void read_khz(struct host_source *s, const char *arg, struct buf *out)
{
	double khz;

	if (source_number(s, arg, &khz))
		put_value(out, khz * 1000);
}

void read_os(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf file = { 0 };
	struct text name;

	(void)arg;
	if (source_file(s, "etc/os-release", &file) ||
	    source_file(s, "usr/lib/os-release", &file)) {
		name =
		    key_value((struct text){ file.ptr, file.len }, "PRETTY_NAME|NAME", '=');
		if (name.len >= 2 && (name.ptr[0] == '"' || name.ptr[0] == '\''))
			name = (struct text){ name.ptr + 1, name.len - 2 };
		buf_text(out, name);
	}
	buf_free(&file);
}

/* A number of KiB in /proc/meminfo, as bytes. */
static bool meminfo(struct host_source *s, const char *key, double *bytes)
{
	struct buf file = { 0 };
	struct text value = { 0 };
	bool there;

	if (source_file(s, "proc/meminfo", &file))
		value = key_value((struct text){ file.ptr, file.len }, key, ':');
	there = value.len > 3 && memcmp(value.ptr + value.len - 3, " kB", 3) == 0 &&
	        number_parse((struct text){ value.ptr, value.len - 3 }, bytes);
	*bytes *= 1024;
	buf_free(&file);
	return there;
}

/* MemTotal differs by a little from boot to boot; in these steps it is the machine's. */
void read_memory_total(struct host_source *s, const char *arg, struct buf *out)
{
	const double step = 256 * 1024 * 1024;
	double bytes = 0;

	(void)arg;
	if (meminfo(s, "MemTotal", &bytes))
		put_value(out, round(bytes / step) * step);
}

void read_meminfo(struct host_source *s, const char *arg, struct buf *out)
{
	double bytes = 0;

	if (meminfo(s, arg, &bytes))
		put_value(out, bytes);
}

void read_swap_used(struct host_source *s, const char *arg, struct buf *out)
{
	double total = 0, unused = 0;

	(void)arg;
	if (meminfo(s, "SwapTotal", &total) && meminfo(s, "SwapFree", &unused))
		put_value(out, total - unused);
}

void read_load(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf line = { 0 };

	(void)arg;
	if (source_line(s, "proc/loadavg", &line))
		buf_put(out, line.ptr, strcspn(line.ptr, " "));
	buf_free(&line);
}

void read_allowed(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf file = { 0 };

	(void)arg;
	if (source_file(s, "proc/self/status", &file))
		buf_text(out, key_value((struct text){ file.ptr, file.len },
		                  "Cpus_allowed_list", ':'));
	buf_free(&file);
}

/* "QUOTA PERIOD" or "max PERIOD" in a cpu.max file, as per cent of one processor. */
static double quota_pct(struct host_source *s, const char *path)
{
	struct buf line = { 0 };
	double pct = INFINITY;
	char *rest;

	if (source_line(s, path, &line) && isdigit((unsigned char)line.ptr[0])) {
		double quota = (double)strtoull(line.ptr, &rest, 10);
		double period = (double)strtoull(rest, NULL, 10);

		if (period > 0)
			pct = 100 * quota / period;
	}
	buf_free(&line);
	return pct;
}

/* The narrowest limit of this process's control group (version 2) and those above it. */
void read_quota(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf file = { 0 }, path = { 0 };
	struct text group;
	double pct = INFINITY;

	(void)arg;
	if (source_file(s, "proc/self/cgroup", &file)) {
		group = key_value((struct text){ file.ptr, file.len }, "0", ':');
		if (group.len)
			group = (struct text){ group.ptr + 1, group.len - 1 };
		while (group.len) {
			path.len = 0;
			buf_str(&path, "sys/fs/cgroup");
			buf_text(&path, group);
			buf_str(&path, "/cpu.max");
			pct = fmin(pct, quota_pct(s, path.ptr));
			while (group.len && group.ptr[--group.len] != '/')
				;
		}
		pct = fmin(pct, quota_pct(s, "sys/fs/cgroup/cpu.max"));
	}
	if (isfinite(pct))
		put_value(out, pct);
	buf_free(&file);
	buf_free(&path);
}

void read_power_source(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf path = { 0 }, word = { 0 };
	const char *found = NULL;
	char **names;
	size_t count = source_names(s, "sys/class/power_supply", &names);

	(void)arg;
	for (size_t i = 0; i < count; i++) {
		path.len = word.len = 0;
		buf_printf(&path, "sys/class/power_supply/%s/online", names[i]);
		if (source_line(s, path.ptr, &word) && strcmp(word.ptr, "1") == 0 && !found)
			found = "mains";
		path.len = word.len = 0;
		buf_printf(&path, "sys/class/power_supply/%s/status", names[i]);
		if (source_line(s, path.ptr, &word) && strcmp(word.ptr, "Discharging") == 0)
			found = "battery";
	}
	if (found)
		buf_str(out, found);
	source_names_free(names, count);
	buf_free(&path);
	buf_free(&word);
}
