/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks a child process for the peaks of a device; see compute_ceilings.h.
 */
#include <string.h>

#include "compute_backend.h"
#include "compute_ceilings.h"
#include "sys/child_answer.h"

enum { LIMIT_MS = 60000 };

static struct {
	const struct backend_file *file;
	struct backend_config device;
	enum backend_dtype dtype;
} asked;

static int ceilings_answer(struct buf *answer, struct fault *f)
{
	const struct backend *backend = compute_backend_load(asked.file, f);
	struct measured_peaks peaks;

	if (!backend)
		return -1;
	peaks = peak_measure(backend, &asked.device, asked.dtype);
	buf_text(answer, (struct text){ (const char *)&peaks, sizeof(peaks) });
	return 0;
}

struct measured_peaks ceilings_measure(const struct backend_file *file,
    const struct backend_config *device, enum backend_dtype dtype)
{
	struct measured_peaks peaks = { 0 };
	struct buf answer = { 0 };
	struct fault ignored;

	asked.file = file;
	asked.device = *device;
	asked.dtype = dtype;
	if (child_answer(ceilings_answer, LIMIT_MS, &answer, &ignored) == 0 &&
	    answer.len == sizeof(peaks))
		memcpy(&peaks, answer.ptr, sizeof(peaks));
	buf_free(&answer);
	return peaks;
}
