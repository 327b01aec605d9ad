/*
 * The life of a helper that is called; see helper_main.h. Its workers are processes,
 * forked before anything is loaded, times threads. The first one leads and speaks.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helper_main.h"
#include "helper_io.h"
#include "base/clock.h"

static uint32_t process;      /* which one this is; 0 leads */
static pid_t leader, *others; /* its pid, and those of its other processes */

/* Zeroed memory, or the end. */
static void *room(size_t count, size_t size)
{
	void *ptr = calloc(count + 1, size);

	if (!ptr)
		call_give_up(CALL_FAILED, "no memory");
	return ptr;
}

static _Noreturn void end_as(int status)
{
	sigset_t only;

	if (WIFSIGNALED(status)) {
		sigemptyset(&only);
		sigaddset(&only, WTERMSIG(status));
		signal(WTERMSIG(status), SIG_DFL);
		sigprocmask(SIG_UNBLOCK, &only, NULL);
		raise(WTERMSIG(status));
	}
	_exit(WEXITSTATUS(status));
}

/* Whether one of the others has ended: as it did, so do we, unless it was time. The
 * function may have waited for it, or see to it that nobody need. */
static void look_at_others(void)
{
	int status, error = errno;

	if (getpid() != leader)
		return;
	for (uint32_t i = 1; i < call_job.request.processes && !call_job.ending; i++) {
		pid_t got = others[i] > 0 ? waitpid(others[i], &status, WNOHANG) : 0;

		if (got > 0)
			end_as(status);
		if (got < 0 && errno == ECHILD)
			call_give_up(CALL_FAILED, "one of its processes has ended");
	}
	errno = error;
}

static void on_child(int number)
{
	(void)number;
	look_at_others();
}

static void start_others(void)
{
	struct sigaction action = { .sa_handler = on_child, .sa_flags = SA_RESTART };

	leader = getpid();
	others = room(call_job.request.processes, sizeof(*others));
	if (call_job.request.processes > 1) {
		sigaction(SIGCHLD, &action, NULL);
		crew_look(call_job.crew, look_at_others);
	}
	for (uint32_t i = 1; i < call_job.request.processes; i++) {
		others[i] = fork();
		if (others[i] < 0)
			call_give_up(
			    CALL_FAILED, "cannot start a process: %s", strerror(errno));
		if (others[i] == 0) {
			process = i;
			signal(SIGCHLD, SIG_DFL);
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != leader)
				_exit(1);
			return;
		}
	}
}

static void load(call_loader *loader)
{
	struct call_answer a = { .kind = CALL_LOADED, .begin_ns = clock_realtime_ns() };
	int64_t start_ns = clock_monotonic_ns();

	loader();
	a.wall_ns = clock_monotonic_ns() - start_ns;
	if (process == 0)
		call_answer(&a, sizeof(a));
}

static void *thread_main(void *number)
{
	call_work(process, *(uint32_t *)number);
	return NULL;
}

/* The threads of this process; ours is the first of them. */
static void work_together(void)
{
	uint32_t threads = call_job.request.threads,
	         *number = room(threads, sizeof(*number));
	pthread_t *thread = room(threads, sizeof(*thread));

	for (uint32_t i = 1; i < threads; i++) {
		number[i] = i;
		if (pthread_create(&thread[i], NULL, thread_main, &number[i]) != 0)
			call_give_up(CALL_FAILED, "cannot start thread %u", i);
	}
	call_work(process, 0);
	for (uint32_t i = 1; i < threads; i++)
		pthread_join(thread[i], NULL);
	free(number);
	free(thread);
}

static const char *next_text(const char **p)
{
	const char *text = *p;

	*p += strlen(text) + 1;
	return text;
}

static void read_request(void)
{
	struct call_request *r = &call_job.request;
	struct call_param *params;
	char *texts;
	const char *p;

	call_receive(r, sizeof(*r));
	call_job.events = room(r->events, sizeof(*call_job.events));
	call_job.opened = room(r->events, sizeof(*call_job.opened));
	call_job.params = params = room(r->params, sizeof(*params));
	call_job.param_name = room(r->params, sizeof(*call_job.param_name));
	call_job.param_text = room(r->params, sizeof(*call_job.param_text));
	texts = room(r->text_size, 1);
	call_receive(call_job.events, r->events * sizeof(*call_job.events));
	call_receive(params, r->params * sizeof(*params));
	call_receive(texts, r->text_size);
	p = texts;
	call_job.object = next_text(&p);
	call_job.symbol = next_text(&p);
	call_job.set_up = next_text(&p);
	call_job.tear_down = next_text(&p);
	for (uint32_t i = 0; i < r->params; i++) {
		call_job.param_name[i] = next_text(&p);
		call_job.param_text[i] = next_text(&p);
	}
}

/* The others have ended, too; one that did not end well has spoilt it. */
static void answer_end(void)
{
	struct call_answer a = { .kind = CALL_ENDED };
	int status;

	for (uint32_t i = 1; i < call_job.request.processes; i++) {
		pid_t got = waitpid(others[i], &status, 0);

		if (crew_slot(call_job.crew, i * call_job.request.threads)->ended)
			continue;
		if (got == others[i])
			end_as(status);
		call_give_up(CALL_FAILED, "one of its processes ended badly");
	}
	for (uint32_t i = 0; i < crew_workers(call_job.crew); i++) {
		int64_t rss_bytes = crew_slot(call_job.crew, i)->rss_bytes;

		a.rss_bytes = rss_bytes > a.rss_bytes ? rss_bytes : a.rss_bytes;
	}
	call_answer_telling(&a);
	call_tell_all();
}

_Noreturn void call_process(call_loader *loader)
{
	const struct call_request *r = &call_job.request;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	call_talk_open();
	read_request();
	call_job.crew = crew_open(r->threads * r->processes, r->events);
	if (!call_job.crew)
		call_give_up(CALL_FAILED, "no memory for the workers: %s", strerror(errno));
	if (r->family)
		call_count(true);
	start_others();
	load(loader);
	work_together();
	crew_slot(call_job.crew, process * r->threads)->rss_bytes =
	    call_memory_bytes("VmHWM:");
	fflush(NULL);
	crew_slot(call_job.crew, process * r->threads)->ended = true;
	if (process == 0)
		answer_end();
	_exit(0);
}
