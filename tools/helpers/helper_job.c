/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The job of a helper; see helper_job.h. */
#include "helper_job.h"

struct helper_job helper_job;

bool helper_under_load(void)
{
	return request_queue_is_filled(helper_job.queue);
}
