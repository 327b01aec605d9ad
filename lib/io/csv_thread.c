/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads and parses ahead; see csv_thread.h. A second thread fills batches in a ring, and
 * the caller's thread empties them. When the caller stops, the second thread may be
 * waiting for an idle pipe, so it also waits for an event.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "io/csv_thread.h"

enum { CHUNK = 1 << 17, ALONE = 1 << 20, RING = 4 };

struct csv_thread {
	struct csv_reader *reader;
	int fd, quit;
	const char *name;
	char *chunk;

	pthread_mutex_t mutex;
	pthread_cond_t moved;
	struct csv_batch ring[RING];
	size_t filled, emptied; /* batches since the start */
	bool quitting;
};

/* Reads and parses a piece, and marks the last batch. Returns the size of the piece. */
static size_t fill_batch(struct csv_thread *a, struct csv_batch *b)
{
	ssize_t got;

	do
		got = read(a->fd, a->chunk, CHUNK);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		csv_reader_parse(a->reader, a->chunk, (size_t)got, b);
	else if (got == 0)
		csv_reader_finish(a->reader, b);
	else {
		csv_batch_clear(b);
		b->failed = true;
		fault_errno(&b->fault, "%s", a->name);
	}
	b->last = b->last || b->failed;
	return got > 0 ? (size_t)got : 0;
}

static bool wait_for_input(struct csv_thread *a)
{
	struct pollfd wait[] = { { .fd = a->fd, .events = POLLIN },
		{ .fd = a->quit, .events = POLLIN } };

	while (poll(wait, COUNT(wait), -1) < 0 && errno == EINTR)
		;
	return !wait[1].revents;
}

static void *read_on(void *arg)
{
	struct csv_thread *a = arg;

	for (bool last = false; !last;) {
		pthread_mutex_lock(&a->mutex);
		while (a->filled - a->emptied == RING && !a->quitting)
			pthread_cond_wait(&a->moved, &a->mutex);
		struct csv_batch *b = &a->ring[a->filled % RING];
		pthread_mutex_unlock(&a->mutex);
		if (!wait_for_input(a))
			break;
		fill_batch(a, b);
		last = b->last;
		pthread_mutex_lock(&a->mutex);
		a->filled++;
		pthread_cond_signal(&a->moved);
		pthread_mutex_unlock(&a->mutex);
	}
	return NULL;
}

static int use_batch(struct csv_thread *a, struct fault *f)
{
	int status = 0;

	for (bool last = false; !last && status == 0;) {
		pthread_mutex_lock(&a->mutex);
		while (a->filled == a->emptied)
			pthread_cond_wait(&a->moved, &a->mutex);
		const struct csv_batch *b = &a->ring[a->emptied % RING];
		pthread_mutex_unlock(&a->mutex);
		status = csv_reader_deliver(a->reader, b, f);
		last = b->last;
		pthread_mutex_lock(&a->mutex);
		a->emptied++;
		pthread_cond_signal(&a->moved);
		pthread_mutex_unlock(&a->mutex);
	}
	return status;
}

static void end_thread(struct csv_thread *a)
{
	pthread_mutex_lock(&a->mutex);
	a->quitting = true;
	pthread_cond_signal(&a->moved);
	pthread_mutex_unlock(&a->mutex);
	eventfd_write(a->quit, 1);
}

/* Reads the rest of the file with two threads. Returns 1 if there can be no second
 * thread. */
static int read_in_two(struct csv_thread *a, struct fault *f)
{
	cpu_set_t cpus;
	pthread_t reader;
	int status = 1;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) < 0 || CPU_COUNT(&cpus) < 2)
		return 1;
	a->quit = eventfd(0, EFD_CLOEXEC);
	if (a->quit < 0)
		return 1;
	if (pthread_create(&reader, NULL, read_on, a) == 0) {
		status = use_batch(a, f);
		end_thread(a);
		pthread_join(reader, NULL);
	}
	close(a->quit);
	return status;
}

int csv_thread_read(struct csv_reader *s, int fd, const char *name, struct fault *f)
{
	struct csv_thread a = { .reader = s,
		.fd = fd,
		.name = name,
		.chunk = mem_resize(NULL, CHUNK, 1),
		.mutex = PTHREAD_MUTEX_INITIALIZER,
		.moved = PTHREAD_COND_INITIALIZER };
	size_t alone = 0;
	int status = 0;

	csv_reader_begin(s, name);
	for (bool last = false; !last && status == 0;) {
		if (alone >= ALONE) {
			status = read_in_two(&a, f);
			if (status != 1)
				break;
			status = 0;
			alone = 0; /* read again */
		}
		alone += fill_batch(&a, &a.ring[0]);
		last = a.ring[0].last;
		status = csv_reader_deliver(s, &a.ring[0], f);
	}
	for (size_t i = 0; i < RING; i++)
		csv_batch_free(&a.ring[i]);
	free(a.chunk);
	return status;
}
