/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a profile of ONNX Runtime, in which each event is one line of JSON. Pure.
 */
#ifndef ONNXRUNTIME_PROFILE_H
#define ONNXRUNTIME_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An event of a profile. Times are in microseconds. */
struct ort_event {
	bool node; /* whether it is the run of a node */
	bool run;  /* whether it is a run of the whole model */
	int64_t start_us, length_us;
	int64_t thread; /* the number that the system gave it; 0 if unknown */
	char name[256], operator_type[64];
};

/* Reads the event of a line. Returns whether it has one. */
bool ort_event_read(const char *line, struct ort_event *e);

#endif
