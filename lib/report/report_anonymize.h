/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces what identifies machines and users in the streams of a report, before anything
 * else reads them.
 */
#ifndef REPORT_REPORT_ANONYMIZE_H
#define REPORT_REPORT_ANONYMIZE_H

#include "report/report.h"

/*
 * Replaces the files, and the baseline unless it is NULL. key_file is as for
 * anonymizer_open(). Returns 0, or -1 and the message.
 */
int report_anonymize(const char *key_file, struct report_file *file, size_t files,
    struct report_file *baseline, struct fault *f);

#endif
