/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of one full reading of each GPU. */
#include <stdio.h>
#include <time.h>

#include "sys/gpu.h"

enum { READINGS = 200 };

int main(void)
{
	struct kernel_files files;
	struct fault f;
	struct gpus *g =
	    kernel_files_open(&files, "/", &f) == 0 ? gpus_open(&files, &f) : NULL;

	if (!g) {
		printf("%s\n", f.text);
		return 0;
	}
	for (size_t i = 0; i < gpus_count(g); i++) {
		struct timespec begin, end;
		double value[GPU_METRICS];

		clock_gettime(CLOCK_MONOTONIC, &begin);
		for (int k = 0; k < READINGS; k++)
			gpus_read(g, i, value);
		clock_gettime(CLOCK_MONOTONIC, &end);
		double ns = (double)(end.tv_sec - begin.tv_sec) * 1e9 +
		            (double)(end.tv_nsec - begin.tv_nsec);
		printf("%s: one full reading %.3f ms (goal: under 1)\n", gpus_name(g, i),
		    ns / READINGS / 1e6);
	}
	gpus_close(g);
	return 0;
}
