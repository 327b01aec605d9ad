/*
 * The loop between the rings and the profile; see profile_command.h.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "profile/profile_command.h"
#include "base/clock.h"
#include "sys/interrupt.h"

/* A signal may come just before we wait: then it is seen that much later. */
enum { LOOK_MS = 100 };
static const double patience_ns = 2e9;

static struct sampler *open_first(const struct attend_how *how, pid_t pid, bool running,
    struct attended *out, struct fault *f)
{
	struct sampler_config config = { .pid = pid,
		.running = running,
		.frequency_hz = how->frequency_hz,
		.stack = how->stack,
		.dump_bytes = how->dump_bytes };
	struct sampler *s = NULL;

	for (size_t i = 0; i < how->events->count && !s; i++) {
		struct counter *event = &how->events->counter[i];

		s = sampler_open(&config, event, f);
		out->event = i;
		if (s)
			out->frequency_hz = sampler_frequency_hz(s);
		if (!s && event->error != ENOENT && event->error != EOPNOTSUPP &&
		    event->error != ENODEV && event->error != ENXIO)
			break;
	}
	return s;
}

static int take_all(struct sampler *s, bool all, struct profile *p, struct fault *f)
{
	return sampler_read(s, all, profile_record, p, f);
}

/* Pass the signal on, once; a terminal has sent it to all of us. Then lose patience. */
static void pass_on(const struct launch *l, int64_t *since_ns)
{
	if (*since_ns && clock_elapsed_ns(*since_ns) > patience_ns)
		launch_kill(l, SIGKILL);
	else if (!*since_ns) {
		*since_ns = clock_monotonic_ns();
		if (l->grouped || interrupt_seen() != SIGINT)
			launch_kill(l, interrupt_seen());
	}
}

int attend_command(const struct attend_how *how, const char *path, char *const *argv,
    struct profile *profile, struct attended *out, struct fault *f)
{
	struct launch l;
	struct sampler *s;
	int64_t interrupted_ns = 0;
	int status = 0;

	if (launch_open(&l, path, argv, f) < 0)
		return -1;
	s = open_first(how, l.pid, false, out, f);
	if (!s) {
		launch_cancel(&l);
		return -1;
	}
	profile_init(profile, sampler_layout(s));
	profile_expect(profile, (uint32_t)l.pid, path);
	interrupt_watch(0);
	if (launch_go(&l, path, f) < 0) {
		sampler_close(s);
		return -1;
	}
	while (status == 0 && !sampler_wait(s, l.pidfd, LOOK_MS)) {
		status = take_all(s, false, profile, f);
		if (interrupt_seen())
			pass_on(&l, &interrupted_ns);
	}
	if (status < 0 || interrupt_seen())
		launch_kill(&l, SIGKILL);
	out->status = launch_wait(&l);
	sampler_stop(s);
	if (status == 0)
		status = take_all(s, true, profile, f);
	sampler_close(s);
	return status;
}

int attend_only(const char *path, char *const *argv, struct attended *out, struct fault *f)
{
	struct launch l;
	int64_t interrupted_ns = 0;

	if (launch_open(&l, path, argv, f) < 0)
		return -1;
	interrupt_watch(0);
	if (launch_go(&l, path, f) < 0)
		return -1;
	for (struct pollfd end = { .fd = l.pidfd, .events = POLLIN };
	     poll(&end, 1, LOOK_MS) <= 0;)
		if (interrupt_seen())
			pass_on(&l, &interrupted_ns);
	if (interrupt_seen())
		launch_kill(&l, SIGKILL);
	out->status = launch_wait(&l);
	return 0;
}

int attend_process(const struct attend_how *how, pid_t pid, struct profile *profile,
    struct attended *out, struct fault *f)
{
	int pidfd = pidfd_open(pid, 0), status = 0;
	struct sampler *s;
	int64_t begin_ns;

	if (pidfd < 0)
		return errno == ESRCH ? fault_set(f, "there is no process %d", (int)pid)
		                      : fault_errno(f, "process %d", (int)pid);
	s = open_first(how, pid, true, out, f);
	if (!s) {
		close(pidfd);
		return -1;
	}
	profile_init(profile, sampler_layout(s));
	interrupt_watch(0);
	begin_ns = clock_monotonic_ns();
	status = profile_adopt(profile, (uint32_t)pid, f);
	while (status == 0 && !interrupt_seen()) {
		double left_ns = how->duration_ns - clock_elapsed_ns(begin_ns);
		bool timed = how->duration_ns > 0;

		if (timed && left_ns <= 0)
			break;
		if (sampler_wait(s, pidfd,
		        timed && left_ns < LOOK_MS * 1e6 ? (int)(left_ns / 1e6) + 1
		                                         : LOOK_MS))
			break;
		status = take_all(s, false, profile, f);
	}
	sampler_stop(s);
	if (status == 0)
		status = take_all(s, true, profile, f);
	sampler_close(s);
	close(pidfd);
	return status;
}
