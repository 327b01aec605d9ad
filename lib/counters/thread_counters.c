/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of running processes; see thread_counters.h.
 *
 * The kernel attaches a counter to a thread, and hands it on to the threads that this one
 * starts. A thread that is started by one without counters, between the listing of the
 * threads and the opening of the counters, would be missed; one that inherited counters
 * must not get others. So all counters are opened again if another listing has new threads.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "counters/thread_counters.h"

enum { LISTINGS_MOST = 5, ITSELF = 0, SPARE_FILES = 4 };

static struct counter_place thread_place(pid_t tid)
{
	return (struct counter_place){ .tid = tid, .cpu = -1 };
}

void thread_counters_try(struct counter_set *set, struct counter_groups *groups,
    struct running_process *const *process, size_t count)
{
	struct counter_place *place = mem_zero(count + 1, sizeof(*place));

	for (size_t i = 0; i < count; i++)
		place[i] = thread_place(running_process_pid(process[i]));
	place[count] = thread_place(ITSELF);
	placed_counters_try(set,
	    &(struct counter_trials){ .place = place, .count = count + 1, .quiet = count },
	    groups);
	free(place);
}

static bool is_listed(const pid_t *tid, size_t count, pid_t one)
{
	for (size_t i = 0; i < count; i++)
		if (tid[i] == one)
			return true;
	return false;
}

/* Returns why the threads of a process cannot be listed; 0 if it has ended. */
static int listing_error(void)
{
	return errno == ENOENT || errno == ESRCH ? 0 : errno;
}

/* Opens all events in the threads of a process. Returns 0 or an errno. Sets *whole to
 * whether no thread has started meanwhile. */
static int open_process(
    struct placed_counters *c, const struct running_process *p, bool *whole)
{
	pid_t *tid, *again;
	const size_t count = running_process_threads(p, &tid);
	size_t more;
	int error = count ? 0 : listing_error();

	for (size_t i = 0; i < count && !error; i++)
		error = placed_counters_add(c, thread_place(tid[i]), NULL);
	more = running_process_threads(p, &again);
	if (!more && !error)
		error = listing_error();
	*whole = true;
	for (size_t i = 0; i < more; i++)
		*whole = *whole && is_listed(tid, count, again[i]);
	free(tid);
	free(again);
	return error;
}

/* Opens files that are closed after the counters, so that others, such as those of a
 * process, can be opened later. Returns 0 or an errno. */
static int hold_spare(int spare[SPARE_FILES])
{
	int error = 0;

	for (size_t i = 0; i < SPARE_FILES; i++) {
		spare[i] = open("/", O_PATH | O_CLOEXEC);
		error = spare[i] < 0 ? errno : error;
	}
	return error;
}

static void free_spare(const int spare[SPARE_FILES])
{
	for (size_t i = 0; i < SPARE_FILES; i++)
		if (spare[i] >= 0)
			close(spare[i]);
}

struct placed_counters *thread_counters_open(const struct counter_set *set,
    const struct counter_groups *groups, struct running_process *const *process,
    size_t count, bool *incomplete, struct fault *f)
{
	struct placed_counters *c = placed_counters_new(set, groups);
	int spare[SPARE_FILES], error = hold_spare(spare);

	*incomplete = false;
	for (size_t k = 0; k < count && !error; k++) {
		const size_t before = placed_counters_places(c);
		bool whole = false;

		for (int i = 0; i < LISTINGS_MOST && !whole && !error; i++) {
			placed_counters_keep(c, before);
			error = open_process(c, process[k], &whole);
		}
		*incomplete = *incomplete || !whole;
	}
	free_spare(spare);
	if (!error)
		return c;
	placed_counters_fail(c, "threads", error, f);
	placed_counters_close(c);
	return NULL;
}
