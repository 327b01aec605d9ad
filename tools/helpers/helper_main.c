/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a helper; see helper_main.h. Its workers are the threads of several processes, which
 * are forked before anything is loaded. The first worker leads and sends the answers.
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

#include "base/clock.h"
#include "helper_io.h"
#include "helper_main.h"
#include "helper_tokens.h"
#include "helper_worker.h"
#include "self_process.h"

static uint32_t process;      /* the number of this process; 0 leads */
static pid_t leader, *others; /* the leader's pid, and those of the other processes */

/* Ends this process with the status of another one. */
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

/* Ends the leader like another process that has ended too early. The function may itself
 * have waited for that process, or have arranged that nobody needs to. If another process
 * was stopped, the leader also stops, which bench-run notices. */
static void check_others(void)
{
	int status, error = errno;

	if (getpid() != leader)
		return;
	for (uint32_t i = 1; i < helper_job.request.processes && !helper_job.ending; i++) {
		pid_t got =
		    others[i] > 0 ? waitpid(others[i], &status, WNOHANG | WUNTRACED) : 0;

		if (got > 0 && WIFSTOPPED(status))
			kill(leader, SIGSTOP);
		else if (got > 0)
			end_as(status);
		if (got < 0 && errno == ECHILD)
			helper_give_up(HELPER_FAILED, "one of its processes has ended");
	}
	errno = error;
}

static void on_child(int number)
{
	(void)number;
	check_others();
}

static void start_others(void)
{
	struct sigaction action = { .sa_handler = on_child, .sa_flags = SA_RESTART };

	leader = getpid();
	others = helper_zero(helper_job.request.processes, sizeof(*others));
	if (helper_job.request.processes > 1) {
		sigaction(SIGCHLD, &action, NULL);
		worker_barrier_look(helper_job.barrier, check_others);
	}
	for (uint32_t i = 1; i < helper_job.request.processes; i++) {
		others[i] = fork();
		if (others[i] < 0)
			helper_give_up(
			    HELPER_FAILED, "cannot start a process: %s", strerror(errno));
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

/* Loads what is to run, in all processes at the same time, and reports how long that took.
 */
static void load_in_all(helper_loader *prepare, helper_loader *loader)
{
	const struct helper_request *r = &helper_job.request;
	struct helper_answer a = { .kind = HELPER_LOADED };
	int64_t start_ns;

	if (process == 0 && prepare)
		prepare();
	worker_barrier_start(helper_job.barrier, r->processes);
	a.begin_ns = clock_realtime_ns();
	start_ns = clock_monotonic_ns();
	worker_barrier_slot(helper_job.barrier, process * r->threads)->start_ns = start_ns;
	loader();
	a.wall_ns = clock_monotonic_ns() - start_ns;
	if (process == 0)
		helper_send(&a, sizeof(a));
}

static void *thread_main(void *number)
{
	helper_work(process, *(uint32_t *)number);
	return NULL;
}

/* Runs the workers of this process, the first of which is this thread. */
static void work_together(void)
{
	uint32_t threads = helper_job.request.threads,
	         *number = helper_zero(threads, sizeof(*number));
	pthread_t *thread = helper_zero(threads, sizeof(*thread));

	for (uint32_t i = 1; i < threads; i++) {
		number[i] = i;
		if (pthread_create(&thread[i], NULL, thread_main, &number[i]) != 0)
			helper_give_up(HELPER_FAILED, "cannot start thread %u", i);
	}
	helper_work(process, 0);
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
	struct helper_request *r = &helper_job.request;
	struct helper_param *params;
	char *texts, *job;
	const char *p;

	helper_receive(r, sizeof(*r));
	helper_job.events = helper_zero(r->events, sizeof(*helper_job.events));
	helper_job.opened = helper_zero(r->events, sizeof(*helper_job.opened));
	helper_job.params = params = helper_zero(r->params, sizeof(*params));
	helper_job.param_name = helper_zero(r->params, sizeof(*helper_job.param_name));
	helper_job.param_text = helper_zero(r->params, sizeof(*helper_job.param_text));
	helper_job.job_text = helper_zero(r->job_texts, sizeof(*helper_job.job_text));
	helper_job.job = job = helper_zero(r->job_size, 1);
	texts = helper_zero(r->text_size, 1);
	helper_receive(helper_job.events, r->events * sizeof(*helper_job.events));
	helper_receive(params, r->params * sizeof(*params));
	helper_receive(job, r->job_size);
	helper_receive(texts, r->text_size);
	p = texts;
	helper_job.object = next_text(&p);
	helper_job.symbol = next_text(&p);
	helper_job.set_up = next_text(&p);
	helper_job.tear_down = next_text(&p);
	for (uint32_t i = 0; i < r->params; i++) {
		helper_job.param_name[i] = next_text(&p);
		helper_job.param_text[i] = next_text(&p);
	}
	for (uint32_t i = 0; i < r->job_texts; i++)
		helper_job.job_text[i] = next_text(&p);
}

/* Waits for the other processes, and sends the last answer. Fails if one of them failed. */
static void answer_end(void)
{
	struct helper_answer a = { .kind = HELPER_ENDED };
	int status;

	for (uint32_t i = 1; i < helper_job.request.processes; i++) {
		pid_t got = waitpid(others[i], &status, 0);

		if (worker_barrier_slot(helper_job.barrier, i * helper_job.request.threads)
		        ->ended)
			continue;
		if (got == others[i])
			end_as(status);
		helper_give_up(HELPER_FAILED, "one of its processes failed");
	}
	for (uint32_t i = 0; i < worker_barrier_workers(helper_job.barrier); i++) {
		int64_t rss_bytes = worker_barrier_slot(helper_job.barrier, i)->rss_bytes;

		a.rss_bytes = rss_bytes > a.rss_bytes ? rss_bytes : a.rss_bytes;
	}
	helper_send_answer(&a);
	helper_send_extras();
}

_Noreturn void helper_main(helper_loader *prepare, helper_loader *loader)
{
	const struct helper_request *r = &helper_job.request;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	helper_io_open();
	read_request();
	helper_job.barrier = worker_barrier_open(r->threads * r->processes, r->events);
	if (!helper_job.barrier)
		helper_give_up(
		    HELPER_FAILED, "no memory for the workers: %s", strerror(errno));
	if (r->loaded &&
	    !(helper_job.queue = request_queue_open(r->threads * r->processes)))
		helper_give_up(
		    HELPER_FAILED, "no memory for the requests: %s", strerror(errno));
	if (r->generates)
		helper_tokens_open();
	if (r->family)
		helper_count(true);
	start_others();
	load_in_all(prepare, loader);
	work_together();
	worker_barrier_slot(helper_job.barrier, process * r->threads)->rss_bytes =
	    self_memory_bytes("VmHWM:");
	fflush(NULL);
	worker_barrier_slot(helper_job.barrier, process * r->threads)->ended = true;
	if (process == 0)
		answer_end();
	_exit(0);
}
