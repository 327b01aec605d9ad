/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The id and the time of a run; see provenance.h.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "base/clock.h"
#include "record/provenance.h"

void provenance_run(char out[PROVENANCE_RUN_MAX])
{
	unsigned char b[16] = { 0 };
	uint64_t ms = (uint64_t)clock_realtime_ns() / 1000000;

	while (getrandom(b, sizeof(b), 0) < 0 && errno == EINTR)
		;
	for (int i = 0; i < 6; i++)
		b[i] = (unsigned char)(ms >> (40 - 8 * i));
	b[6] = (unsigned char)(0x70 | (b[6] & 0x0f));
	b[8] = (unsigned char)(0x80 | (b[8] & 0x3f));
	for (size_t i = 0, at = 0; i < sizeof(b); i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			out[at++] = '-';
		at += (size_t)snprintf(out + at, PROVENANCE_RUN_MAX - at, "%02x", b[i]);
	}
}

size_t provenance_time(char out[PROVENANCE_TIME_MAX], int64_t real_ns)
{
	bool before = real_ns % 1000000000 < 0; /* of a second before 1970 */
	time_t seconds = (time_t)(real_ns / 1000000000 - before);
	int64_t ns = real_ns % 1000000000 + (before ? 1000000000 : 0);
	struct tm tm;

	gmtime_r(&seconds, &tm);
	size_t len = strftime(out, PROVENANCE_TIME_MAX, "%Y-%m-%dT%H:%M:%S", &tm);
	len += (size_t)snprintf(out + len, PROVENANCE_TIME_MAX - len, ".%09dZ", (int)ns);
	return len;
}
