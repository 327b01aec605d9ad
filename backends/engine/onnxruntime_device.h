/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists ONNX Runtime's execution providers as devices, and adds one to the options of a
 * session.
 */
#ifndef ONNXRUNTIME_DEVICE_H
#define ONNXRUNTIME_DEVICE_H

#include "bench-backend.h"
#include "onnxruntime_api.h"

enum { ORT_TARGETS = 32 };

/* A provider, on one device if it is in a library of its own. */
struct ort_target {
	char word[32];     /* such as "cuda" */
	char provider[64]; /* such as "CUDAExecutionProvider" */
	char version[32];  /* of the provider, if it has one of its own */
	const char *type;
	const char *name;                /* for the generic function; NULL for cpu */
	int family;                      /* enum ort_family; -1 for others */
	const struct ort_device *device; /* NULL if it is part of ONNX Runtime */
	const char *unusable;            /* why it cannot be used; NULL if it can */
	const char *emulator;            /* what emulates it; NULL if it is real */
};

/* Stores at most ORT_TARGETS providers, always in the same order: the processor, others
 * that are part of ONNX Runtime, and those in libraries of their own. The latter are loaded
 * only if fewer than `wanted` are known before. Returns the number of providers, or -1 and
 * the reason. */
int ort_targets(const struct ort *o, struct ort_target *list, size_t wanted, char *why);
/* Adds a provider with its options to a session's, unless it is cpu, which is always there.
 * Returns 0, or -1 and the reason. */
int ort_target_add(const struct ort *o, const struct ort_target *t,
    struct ort_options *options, const char *const *key, const char *const *value,
    size_t count, char *why);
/* The hook probe of the backend. */
int ort_probe(struct backend_device *list, size_t max, char *why);

#endif
