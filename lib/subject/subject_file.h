/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads templates from a subjects table, as bench-list writes it and bench-run -I reads
 * it.
 */
#ifndef SUBJECT_SUBJECT_FILE_H
#define SUBJECT_SUBJECT_FILE_H

#include "subject/subject.h"

/*
 * Reads the subjects of a file ("-": standard input) and adds them. A name without a slash
 * that is no file is the name of a suite in share/suites. Returns 0, or -1 and the message.
 */
int subject_file_read(const char *path, struct templates *out, struct fault *f);

#endif
