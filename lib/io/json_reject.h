/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Says why a text is not valid JSON. This is the only module that includes jansson.
 */
#ifndef IO_JSON_REJECT_H
#define IO_JSON_REJECT_H

#include "base/base.h"

/* Sets the message about a text that json_parse() refuses, which begins with the name and
 * the line. Returns -1. */
int json_reject(struct text t, const char *name, struct fault *f);

#endif
