/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces the strings of a whole stream that identify a machine or its user; see
 * anonymize.h.
 */
#ifndef RECORD_ANONYMIZE_STREAM_H
#define RECORD_ANONYMIZE_STREAM_H

#include "record/anonymize.h"

/* Learns the names in a stream. name is for messages. Returns 0, or -1 and the message. */
int anonymizer_learn_stream(
    struct anonymizer *a, const char *name, struct text stream, struct fault *f);
/*
 * Appends the stream as CSV with replacements. Lists of subjects and extra columns are left
 * out. Call anonymizer_learn_stream() for all streams before. Returns 0, or -1 and the
 * message.
 */
int anonymize_stream(struct anonymizer *a, const char *name, struct text stream,
    struct buf *out, struct fault *f);

#endif
