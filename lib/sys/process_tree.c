/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process and its descendants; see process_tree.h.
 *
 * Processor time is read from the clock of each process, in nanoseconds, as the ticks of
 * /proc/PID/stat are too coarse for short intervals; only that of children that have ended
 * and were waited for has to come from there.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "sys/kernel_files.h"
#include "sys/process_tree.h"
#include "sys/procfs.h"

enum { KEPT_OPEN = 64 }; /* processes whose files remain open */
enum { IO_ATTEMPTS = 4 };
enum { FILE_STAT, FILE_STATM, FILE_CHILDREN, FILE_IO, FILE_STATUS, FILES };
static const char *const file_names[FILES] = { "stat", "statm", "task/%d/children", "io",
	"status" };

struct member {
	pid_t pid;
	int fd[FILES]; /* -1: not open */
	uint64_t start_ticks;
	bool seen;         /* according to the current sample */
	bool counted;      /* input and output according to the current sample */
	uint64_t switches; /* at the previous sample */
};

struct io_bytes {
	double read, write;
};

struct process_tree {
	pid_t head;
	bool with_head; /* the head is one of the processes that are sampled */
	struct member *member;
	size_t count, cap;
	uint64_t reaped_before;    /* ticks of the children of the head that had ended */
	struct io_bytes io_before; /* of the head and its children */
	long page_bytes, tick_ns;
	struct buf text;
	bool blind; /* a file could not be opened, although it may exist */
};

/* One sample of the tree. */
struct sampling {
	struct process_tree_depth depth;
	struct process_tree_sums *sums;
	pid_t *list; /* to be sampled */
	size_t count, cap;
	bool expected; /* the listed processes existed a moment ago */
	bool moved; /* a process was waited for in between: its time may count twice or not
	               at all */
};

struct process_tree *process_tree_open(pid_t head, bool with_head, struct fault *f)
{
	struct process_tree *tree = mem_zero(1, sizeof(*tree));
	char path[64];

	tree->head = head;
	tree->with_head = with_head;
	tree->page_bytes = sysconf(_SC_PAGESIZE);
	tree->tick_ns = 1000000000 / sysconf(_SC_CLK_TCK);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)head, (int)head);
	if (access(path, R_OK) == 0)
		return tree;
	if (errno == ENOENT && access("/proc/self/stat", F_OK) < 0)
		fault_set(f,
		    "/proc is not mounted, so the processes of a command cannot be "
		    "observed (as root: mount -t proc proc /proc)");
	else
		fault_errno(f, "%s%s", path,
		    errno == ENOENT ? " (the kernel needs CONFIG_PROC_CHILDREN)" : "");
	process_tree_close(tree);
	return NULL;
}

static void end_member(struct member *m)
{
	for (size_t i = 0; i < FILES; i++) {
		if (m->fd[i] >= 0)
			close(m->fd[i]);
		m->fd[i] = -1;
	}
}

static struct member *member_of(struct process_tree *tree, pid_t pid)
{
	struct member *m;

	for (size_t i = 0; i < tree->count; i++)
		if (tree->member[i].pid == pid)
			return &tree->member[i];
	m = VEC_ADD(tree->member, tree->count, tree->cap);
	*m = (struct member){ .pid = pid };
	for (size_t i = 0; i < FILES; i++)
		m->fd[i] = -1;
	return m;
}

/* Reads a whole file of /proc from its beginning into tree->text. */
static bool read_fd(struct process_tree *tree, int fd)
{
	return kernel_file_reread(fd, &tree->text) == 0 && tree->text.len > 0;
}

static int open_file(struct process_tree *tree, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
		tree->blind = true;
	return fd;
}

static bool read_path(struct process_tree *tree, const char *path)
{
	int fd = open_file(tree, path);
	bool there = fd >= 0 && read_fd(tree, fd);

	if (fd >= 0)
		close(fd);
	return there;
}

static bool read_file(struct process_tree *tree, struct member *m, int which)
{
	char path[96];

	if (m->fd[which] < 0) {
		int len = snprintf(path, sizeof(path), "/proc/%d/", (int)m->pid);

		snprintf(
		    path + len, sizeof(path) - (size_t)len, file_names[which], (int)m->pid);
		m->fd[which] = open_file(tree, path);
	}
	return m->fd[which] >= 0 && read_fd(tree, m->fd[which]);
}

static struct text buffer_text(const struct process_tree *tree)
{
	return text_in(&tree->text);
}

static double cpu_time_ns(pid_t pid)
{
	clockid_t clock;
	struct timespec t;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) < 0)
		return NAN;
	return (double)clock_timespec_ns(t);
}

static void add_process(struct sampling *s, pid_t pid)
{
	*VEC_ADD(s->list, s->count, s->cap) = pid;
}

/* Lists the children in a file of the kernel. */
static void add_children(const struct process_tree *tree, struct sampling *s)
{
	struct text rest = buffer_text(tree);
	uint64_t pid;

	while (procfs_next(&rest, &pid))
		add_process(s, (pid_t)pid);
}

static bool add_switches(struct process_tree *tree, uint64_t *sum)
{
	uint64_t voluntary, other;

	if (!procfs_value(buffer_text(tree), "voluntary_ctxt_switches", &voluntary) ||
	    !procfs_value(buffer_text(tree), "nonvoluntary_ctxt_switches", &other))
		return false;
	*sum += voluntary + other;
	return true;
}

/* Samples the threads of a process except the first: adds their switches, and lists their
 * children. */
static bool walk_tasks(struct process_tree *tree, const struct member *m,
    uint64_t *switches, struct sampling *s)
{
	char path[96];
	struct dirent *entry;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)m->pid);
	DIR *dir = opendir(path);
	if (!dir)
		return false;
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || atol(entry->d_name) == m->pid)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%.16s/status", (int)m->pid,
		    entry->d_name);
		if (read_path(tree, path))
			add_switches(tree, switches);
		snprintf(path, sizeof(path), "/proc/%d/task/%.16s/children", (int)m->pid,
		    entry->d_name);
		if (read_path(tree, path))
			add_children(tree, s);
	}
	closedir(dir);
	return true;
}

/*
 * Adds the resident memory of a process from statm, because the value in stat is inexact
 * by some pages for each processor. A process that ends has released its memory although
 * it still frees pages: the remaining amount is unknown.
 */
static void add_rss(
    struct process_tree *tree, struct member *m, struct process_tree_sums *sums)
{
	uint64_t pages;
	bool known = read_file(tree, m, FILE_STATM) &&
	             procfs_resident_pages(buffer_text(tree), &pages);

	sums->rss_bytes += known ? (double)pages * (double)tree->page_bytes : NAN;
}

/*
 * Adds both sizes from one file, so that the proportional one is never greater. The file
 * is opened each time, because it refers to the memory that the process had when the file
 * was opened, which after vfork() is that of the parent.
 */
static void add_rss_and_pss(
    struct process_tree *tree, struct member *m, struct process_tree_sums *sums)
{
	uint64_t rss_kib, pss_kib;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)m->pid);
	if (read_path(tree, path) && procfs_value(buffer_text(tree), "Rss", &rss_kib) &&
	    procfs_value(buffer_text(tree), "Pss", &pss_kib) && rss_kib > 0) {
		sums->rss_bytes += (double)rss_kib * 1024;
		sums->pss_bytes += (double)pss_kib * 1024;
		return;
	}
	sums->pss_bytes = NAN;
	add_rss(tree, m, sums);
}

static void sample_threads(
    struct process_tree *tree, struct member *m, uint64_t threads, struct sampling *s)
{
	uint64_t switches = 0;
	bool known = (threads == 1 || s->depth.tasks) && read_file(tree, m, FILE_STATUS) &&
	             add_switches(tree, &switches);

	if (threads > 1 && s->depth.tasks)
		known = walk_tasks(tree, m, &switches, s) && known;
	if (!known) {
		s->sums->switches = NAN;
		return;
	}
	if (switches >= m->switches)
		s->sums->switches += (double)(switches - m->switches);
	m->switches = switches;
}

static void sample_process(struct process_tree *tree, pid_t pid, struct sampling *s)
{
	struct member *m = member_of(tree, pid);
	struct procfs_stat stat;

	if (m->seen)
		return;
	if (!read_file(tree, m, FILE_STAT) || !procfs_stat(buffer_text(tree), &stat) ||
	    (m->start_ticks && m->start_ticks != stat.start_ticks)) {
		s->moved = s->moved || s->expected;
		return;
	}
	m->seen = true;
	m->start_ticks = stat.start_ticks;
	s->sums->cpu_ns +=
	    cpu_time_ns(pid) + (double)stat.reaped_ticks * (double)tree->tick_ns;
	s->sums->at_ns = clock_monotonic_ns();
	if (stat.state == 'Z' || stat.state == 'X')
		return;
	s->sums->processes++;
	s->sums->threads += stat.threads;
	if (s->depth.pss)
		add_rss_and_pss(tree, m, s->sums);
	else
		add_rss(tree, m, s->sums);
	if (read_file(tree, m, FILE_CHILDREN))
		add_children(tree, s);
	sample_threads(tree, m, stat.threads, s);
}

/* Samples the listed processes and those that they add, and empties the list. */
static void sample_listed(struct process_tree *tree, struct sampling *s)
{
	for (size_t i = 0; i < s->count; i++)
		sample_process(tree, s->list[i], s);
	s->count = 0;
}

/* Reads the bytes that a process, and its children that were waited for, have read and
 * written. */
static bool parse_io(const struct process_tree *tree, struct io_bytes *out)
{
	uint64_t read, write;

	if (!procfs_value(buffer_text(tree), "read_bytes", &read) ||
	    !procfs_value(buffer_text(tree), "write_bytes", &write))
		return false;
	*out = (struct io_bytes){ (double)read, (double)write };
	return true;
}

/* Returns the bytes of a head that is not sampled itself; zero if the file may not be read.
 */
static struct io_bytes head_io(struct process_tree *tree)
{
	struct io_bytes io = { 0 };
	char path[64];

	if (tree->with_head)
		return io;
	snprintf(path, sizeof(path), "/proc/%d/io", (int)tree->head);
	if (read_path(tree, path))
		parse_io(tree, &io);
	return io;
}

/*
 * Adds the bytes of all members that are counted, parents before their children. Returns
 * false if a process was waited for since the list was made: its bytes have moved to its
 * parent, and may be in the sum twice or not at all. It is no longer counted.
 */
static bool add_io(struct process_tree *tree, struct io_bytes *sum)
{
	struct io_bytes io = head_io(tree);
	bool whole = true;

	*sum = (struct io_bytes){ io.read - tree->io_before.read,
		io.write - tree->io_before.write };
	for (size_t i = 0; i < tree->count; i++) {
		struct member *m = &tree->member[i];

		if (!m->counted)
			continue;
		errno = 0;
		if (read_file(tree, m, FILE_IO) && parse_io(tree, &io)) {
			sum->read += io.read;
			sum->write += io.write;
		} else if (errno == ESRCH || errno == ENOENT) {
			m->counted = whole = false;
		} else {
			*sum = (struct io_bytes){ NAN, NAN };
			return true;
		}
	}
	return whole;
}

/*
 * When a process ends, its bytes are added to those of the process that waits for it. So
 * the sum does not decrease, unless nobody waits for a process.
 */
static void sample_io(struct process_tree *tree, struct process_tree_sums *out)
{
	struct io_bytes sum;
	bool whole = false;

	for (size_t i = 0; i < tree->count; i++)
		tree->member[i].counted = tree->member[i].seen;
	for (int i = 0; i < IO_ATTEMPTS && !whole; i++)
		whole = add_io(tree, &sum);
	out->read_bytes = whole ? sum.read : NAN;
	out->write_bytes = whole ? sum.write : NAN;
}

/* Closes the files of processes that are gone. */
static void drop_gone(struct process_tree *tree)
{
	size_t kept = 0;

	for (size_t i = 0; i < tree->count; i++) {
		if (!tree->member[i].seen || kept >= KEPT_OPEN)
			end_member(&tree->member[i]);
		if (tree->member[i].seen)
			tree->member[kept++] = tree->member[i];
	}
	tree->count = kept;
}

/* Returns the ticks of all children that were waited for by a head that is not sampled
 * itself. */
static uint64_t head_reaped(struct process_tree *tree)
{
	char path[64];
	struct procfs_stat stat;

	if (tree->with_head)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)tree->head);
	return read_path(tree, path) && procfs_stat(buffer_text(tree), &stat)
	           ? stat.reaped_ticks
		   : 0;
}

bool process_tree_look(struct process_tree *tree, struct process_tree_depth depth,
    struct process_tree_sums *out)
{
	struct sampling s = { .depth = depth, .sums = out, .expected = true };
	uint64_t reaped = head_reaped(tree);
	char path[64];

	*out = (struct process_tree_sums){ .pss_bytes = depth.pss ? 0 : NAN };
	tree->blind = false;
	for (size_t i = 0; i < tree->count; i++)
		tree->member[i].seen = false;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)tree->head,
	    (int)tree->head);
	if (tree->with_head)
		add_process(&s, tree->head);
	else if (read_path(tree, path))
		add_children(tree, &s);
	sample_listed(tree, &s);
	/* Processes started by a thread that was not sampled this time still exist. */
	s.expected = false;
	for (size_t i = 0; !depth.tasks && i < tree->count; i++)
		add_process(&s, tree->member[i].pid);
	sample_listed(tree, &s);
	free(s.list);
	sample_io(tree, out);
	drop_gone(tree);
	out->cpu_ns += (double)(reaped - tree->reaped_before) * (double)tree->tick_ns;
	if (s.moved || head_reaped(tree) != reaped)
		out->cpu_ns = NAN;
	return out->processes > 0 && !tree->blind;
}

void process_tree_forget(struct process_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		end_member(&tree->member[i]);
	tree->count = 0;
	tree->reaped_before = head_reaped(tree);
	tree->io_before = head_io(tree);
}

void process_tree_close(struct process_tree *tree)
{
	if (!tree)
		return;
	for (size_t i = 0; i < tree->count; i++)
		end_member(&tree->member[i]);
	free(tree->member);
	buf_free(&tree->text);
	free(tree);
}
