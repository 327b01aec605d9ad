/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See compute_backend.h. Libraries read these variables when they are loaded. */
#include <stdlib.h>
#include <string.h>

#include "compute_backend.h"

/*
 * Threads that wait for each other spin, by GCC's OpenMP for some ms: on a machine that
 * others use, too, an operation then takes as long as a turn of the scheduler (measured: a
 * hundred times as long as with this). What the user says holds.
 */
static void spin_shortly(void)
{
	if (!getenv("OMP_WAIT_POLICY"))
		setenv("GOMP_SPINCOUNT", "1000", 0);
}

/*
 * The backend cpu calls OpenBLAS from threads of its own, one thread a call. OpenBLAS would
 * start as many when it is loaded, each of which asks for 128 MiB of address space, and
 * where it does not get them, again and again for ever.
 */
static void start_no_blas_threads(const struct backend_file *file)
{
	if (strcmp(file->name, "cpu") == 0)
		setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

const struct backend *compute_backend_load(const struct backend_file *file, struct fault *f)
{
	spin_shortly();
	start_no_blas_threads(file);
	return backend_load(file, f);
}
