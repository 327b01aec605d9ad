/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs until it is killed: one thread is always busy, and another starts thread after thread. */
#include <pthread.h>

static void *spin(void *rounds)
{
	for (volatile long i = 0; i < (long)rounds; i++)
		;
	return NULL;
}

static void *start(void *unused)
{
	for (;;) {
		pthread_t thread;

		pthread_create(&thread, NULL, spin, (void *)100000L);
		pthread_join(thread, NULL);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, start, NULL);
	for (;;)
		spin((void *)1000000L);
}
