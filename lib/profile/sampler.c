/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens and reads the events; see sampler.h. An inherited event must be bound to a
 * processor to have a ring buffer, so there is one event for each processor, as in perf
 * record. A record is ripe when it is so old that no processor can still write an older
 * one; other records stay in the ring until the next reading.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__aarch64__)
#include <asm/perf_regs.h>
#endif

#include "base/clock.h"
#include "profile/sampler.h"
#include "text/number_set.h"
#include "text/units.h"

/* By default, perf_event_mlock_kb allows 512 KiB and a header page for each processor. */
enum { RING_BYTES = 512 << 10, ALL_RINGS_BYTES = 16 << 20 };
/* Copied stacks need more, which only root may allocate. */
enum { DUMP_RING_BYTES = 2 << 20 };
/* Each of 100,000 context switches a second takes 1.4 KiB; the reader may wait 100 ms for a
 * processor. */
enum { SWITCH_RING_BYTES = 16 << 20, ALL_SWITCH_RINGS_BYTES = 64 << 20 };
enum { RIPE_NS = 5000000 };
/*
 * The part of the stack that is copied at a context switch, in addition to the call chain.
 * It is sufficient for the functions of the C library that wait: see stack_join.h.
 */
enum { SWITCH_DUMP_BYTES = 1024 };

struct sampler {
	struct perf_layout layout;
	double frequency_hz;
	struct perf_rings
	    rings; /* of the events of the first thread, one for each processor */
	int *fd;   /* events without a ring: other threads of a running process */
	size_t fds, fd_cap;
	struct pollfd *poll; /* one for each ring, and one more */
};

/* Returns the registers that unwinding needs. */
static uint64_t unwinding_registers(void)
{
#if defined(__x86_64__)
	uint64_t all = (UINT64_C(1) << PERF_REG_X86_64_MAX) - 1;

	return all & ~(UINT64_C(1) << PERF_REG_X86_DS | UINT64_C(1) << PERF_REG_X86_ES |
	                 UINT64_C(1) << PERF_REG_X86_FS | UINT64_C(1) << PERF_REG_X86_GS);
#elif defined(__aarch64__)
	return (UINT64_C(1) << PERF_REG_ARM64_MAX) - 1;
#else
	return 0;
#endif
}

/*
 * Returns the frequency limited to that of the kernel, which lowers its limit when
 * interrupts take long. A higher frequency fails with EINVAL.
 */
static double allowed_hz(double wanted)
{
	double limit = wanted;
	struct fault ignored;
	struct kernel_files kernel;

	if (kernel_files_open(&kernel, "/", &ignored) < 0)
		return wanted;
	if (!kernel_file_number(
	        &kernel, "proc/sys/kernel/perf_event_max_sample_rate", &limit))
		limit = wanted;
	kernel_files_close(&kernel);
	return fmin(wanted, limit);
}

/* Returns the size of the copied stack; 0: no copy. */
static uint32_t dump_bytes(const struct sampler_opts *c)
{
	if (c->stack == STACK_DUMP)
		return c->dump_bytes;
	return c->switches && c->stack == STACK_CHAIN ? SWITCH_DUMP_BYTES : 0;
}

static void set_attr(
    struct perf_event_attr *a, const struct sampler *s, const struct sampler_opts *c)
{
	a->size = sizeof(*a);
	if (c->switches) {
		a->sample_period = 1;
		a->context_switch = a->exclude_callchain_kernel = 1;
	} else {
		a->freq = 1;
		a->sample_freq = (uint64_t)s->frequency_hz;
	}
	a->sample_type = perf_sample_type(&s->layout);
	a->sample_id_all = 1;
	a->sample_regs_user = s->layout.registers;
	a->sample_stack_user = s->layout.registers ? dump_bytes(c) : 0;
	a->exclude_callchain_user = c->stack == STACK_DUMP;
	a->disabled = 1;
	a->enable_on_exec = !c->running;
	a->inherit = 1;
	a->exclude_guest = a->type != PERF_TYPE_SOFTWARE;
	a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = 1;
	/*
	 * No build_id: where it is asked for, a perf that records the same process fails
	 * (seen with Linux 6.18 and perf 6.1: a smashed stack).
	 */
	a->use_clockid = 1;
	a->clockid = CLOCK_MONOTONIC;
	a->watermark = 1;
}

static int perf_open(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Raises the limit of descriptors: each thread needs one for each processor. */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static size_t read_online_cpus(bool *set)
{
	struct buf list = { 0 };
	struct fault ignored;
	size_t count = 0;

	if (file_read("/sys/devices/system/cpu/online", &list, &ignored) == 0)
		count = cpu_list_parse(text_in(&list), set);
	buf_free(&list);
	if (count)
		return count;
	/* Without sysfs, assume that processors are numbered from 0. */
	count = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
	for (size_t i = 0; i < count && i < CPUS_MAX; i++)
		set[i] = true;
	return count;
}

static int explain_open(
    const struct sampler_opts *c, struct counter *event, struct fault *f)
{
	int error = event->error = errno, allowed = c->switches ? 1 : 2;

	switch (error) {
	case EACCES:
	case EPERM:
		if (c->running)
			return fault_set(f,
			    "cannot sample process %d: permission denied (sample your own "
			    "processes, run as root, or grant CAP_PERFMON and "
			    "CAP_SYS_PTRACE; /proc/sys/kernel/perf_event_paranoid must be "
			    "at most %d)",
			    (int)c->pid, allowed);
		return fault_set(f,
		    "%s: no permission to sample (run: sudo sysctl "
		    "kernel.perf_event_paranoid=%d, or run as root, or grant CAP_PERFMON)",
		    event->name, allowed);
	case ESRCH:
		return fault_set(f, "there is no process %d", (int)c->pid);
	case EMFILE:
		return fault_set(f,
		    "too few file descriptors: each thread needs one for each processor "
		    "(raise ulimit -n)");
	case EINVAL:
		return fault_set(f,
		    "%s: the kernel cannot sample by this event (see bench-list events; "
		    "-e cpu-clock always works)",
		    event->name);
	default:
		return fault_errno(
		    f, "%s: this machine cannot sample by this event", event->name);
	}
}

/* Opens an event on one thread and processor, without the kernel's part if necessary. */
static int open_event(struct counter *event, pid_t tid, int cpu)
{
	int fd = perf_open(&event->attr, tid, cpu);

	if (fd >= 0 || (errno != EACCES && errno != EPERM) || event->user_only ||
	    event->attr.exclude_kernel || !event->user_only_counts)
		return fd;
	event->attr.exclude_kernel = event->attr.exclude_hv = 1;
	fd = perf_open(&event->attr, tid, cpu);
	event->user_only = fd >= 0;
	return fd;
}

static size_t ring_bytes(const struct sampler *s, const struct sampler_opts *c, size_t cpus)
{
	size_t bytes = c->switches           ? SWITCH_RING_BYTES
	               : s->layout.registers ? DUMP_RING_BYTES
	                                     : RING_BYTES,
	       all = c->switches ? ALL_SWITCH_RINGS_BYTES : ALL_RINGS_BYTES;

	while (bytes > 1 << 16 && bytes * cpus > all)
		bytes /= 2;
	return bytes;
}

/*
 * Returns the number of bytes after which the reader is woken. It does not grow with the
 * rings, because an ordinary user may get smaller ones than those asked for, and the kernel
 * would wake the reader only when they are full.
 */
static uint32_t watermark_bytes(size_t ring)
{
	return (uint32_t)(ring < RING_BYTES ? ring : RING_BYTES) / 4;
}

/* Opens the events of one thread. The events of the first thread have the rings. */
static int add_thread(struct sampler *s, const struct sampler_opts *c,
    struct counter *event, pid_t tid, struct fault *f)
{
	static bool cpu[CPUS_MAX];
	size_t cpus, ring = 0;
	bool first = !s->rings.count;

	memset(cpu, 0, sizeof(cpu));
	cpus = read_online_cpus(cpu);
	for (int i = 0; i < CPUS_MAX; i++) {
		if (!cpu[i])
			continue;
		event->attr.wakeup_watermark = watermark_bytes(ring_bytes(s, c, cpus));
		int fd = open_event(event, tid, i);
		if (fd < 0 && errno == ENODEV) /* it went offline */
			continue;
		if (fd < 0)
			return errno == ESRCH && !first ? 0 : explain_open(c, event, f);
		if (first) {
			if (perf_rings_add(&s->rings, fd, ring_bytes(s, c, cpus), f) < 0)
				return -1;
			continue;
		}
		*VEC_ADD(s->fd, s->fds, s->fd_cap) = fd;
		if (ring < s->rings.count &&
		    ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, s->rings.ring[ring++].fd) < 0)
			return fault_errno(f, "the samples of thread %d", (int)tid);
	}
	return s->rings.count ? 0 : fault_set(f, "no processor to sample on");
}

/* Opens the events of all threads of a running process, until there are no new threads. */
static int add_threads(
    struct sampler *s, const struct sampler_opts *c, struct counter *event, struct fault *f)
{
	char *path = str_format("/proc/%d/task", (int)c->pid);
	pid_t *known = NULL;
	size_t count = 0, cap = 0;
	int status = 0;

	for (bool news = true; news && status == 0;) {
		DIR *dir = opendir(path);
		struct dirent *entry;

		news = false;
		if (!dir) {
			status = fault_set(f, "there is no process %d", (int)c->pid);
			break;
		}
		while (status == 0 && (entry = readdir(dir))) {
			int64_t tid;
			size_t i = 0;

			if (!integer_parse(text_of(entry->d_name), &tid))
				continue;
			while (i < count && known[i] != (pid_t)tid)
				i++;
			if (i < count)
				continue;
			*VEC_ADD(known, count, cap) = (pid_t)tid;
			status = add_thread(s, c, event, (pid_t)tid, f);
			news = true;
		}
		closedir(dir);
	}
	free(known);
	free(path);
	return status;
}

static void ioctl_all(const struct sampler *s, unsigned long request)
{
	for (size_t i = 0; i < s->rings.count; i++)
		ioctl(s->rings.ring[i].fd, request, 0);
	for (size_t i = 0; i < s->fds; i++)
		ioctl(s->fd[i], request, 0);
}

struct sampler *sampler_open(
    const struct sampler_opts *opts, struct counter *event, struct fault *f)
{
	struct sampler *s = mem_zero(1, sizeof(*s));
	int status;

	s->layout.chain = opts->stack != STACK_NONE;
	s->layout.registers = dump_bytes(opts) ? unwinding_registers() : 0;
	s->frequency_hz = allowed_hz(opts->frequency_hz);
	event->error = 0;
	set_attr(&event->attr, s, opts);
	allow_files();
	status = opts->running ? add_threads(s, opts, event, f)
	                       : add_thread(s, opts, event, opts->pid, f);
	if (status < 0) {
		sampler_close(s);
		return NULL;
	}
	s->poll = mem_zero(s->rings.count + 1, sizeof(*s->poll));
	for (size_t i = 0; i < s->rings.count; i++)
		s->poll[i] = (struct pollfd){ .fd = s->rings.ring[i].fd, .events = POLLIN };
	if (opts->running)
		ioctl_all(s, PERF_EVENT_IOC_ENABLE);
	return s;
}

double sampler_frequency_hz(const struct sampler *s)
{
	return s->frequency_hz;
}

const struct perf_layout *sampler_layout(const struct sampler *s)
{
	return &s->layout;
}

bool sampler_wait(struct sampler *s, int fd, int timeout_ms)
{
	s->poll[s->rings.count] = (struct pollfd){ .fd = fd, .events = POLLIN };
	if (poll(s->poll, s->rings.count + 1, timeout_ms) <= 0)
		return false;
	/* The process of the event has ended, so poll would always return. */
	for (size_t i = 0; i < s->rings.count; i++)
		if (s->poll[i].revents & (POLLHUP | POLLERR))
			s->poll[i].fd = -1;
	return s->poll[s->rings.count].revents != 0;
}

void sampler_stop(struct sampler *s)
{
	ioctl_all(s, PERF_EVENT_IOC_DISABLE);
}

int sampler_read(
    struct sampler *s, bool all, perf_rings_sink *sink, void *ctx, struct fault *f)
{
	uint64_t ripe_ns = all ? UINT64_MAX - 1 : (uint64_t)clock_monotonic_ns() - RIPE_NS;

	return perf_rings_read(&s->rings, &s->layout, ripe_ns, sink, ctx, f);
}

void sampler_close(struct sampler *s)
{
	if (!s)
		return;
	perf_rings_close(&s->rings);
	for (size_t i = 0; i < s->fds; i++)
		close(s->fd[i]);
	free(s->fd);
	free(s->poll);
	free(s);
}
