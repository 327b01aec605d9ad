/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets variables that libraries read when they are loaded; see compute_backend.h. */
#include <stdlib.h>
#include <string.h>

#include "compute_backend.h"

/*
 * Limits how long threads of GCC's OpenMP spin while they wait for each other, which is
 * some ms by default. On a shared machine, an operation then takes as long as a time slice
 * of the scheduler (measured: a hundred times as long as with this setting). Settings of
 * the user take precedence.
 */
static void spin_shortly(void)
{
	if (!getenv("OMP_WAIT_POLICY"))
		setenv("GOMP_SPINCOUNT", "1000", 0);
}

/*
 * Keeps OpenBLAS from starting threads. The backend cpu calls it from threads of its own,
 * with one thread for each call. When it is loaded, OpenBLAS would start as many threads,
 * each of which requests 128 MiB of address space and retries forever if that fails.
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
