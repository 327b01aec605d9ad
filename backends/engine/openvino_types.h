/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Translates OpenVINO's element types, whose numbers differ between versions (float32 was 5
 * before 2025.1 and is 4 since). The library itself is asked: it reads a small model that
 * has an input of each type.
 */
#ifndef ENGINE_OPENVINO_TYPES_H
#define ENGINE_OPENVINO_TYPES_H

#include "openvino_api.h"

enum { OPENVINO_TYPES = 13 };

/* The library's number of each type, in the order of openvino_type_list. */
struct openvino_types {
	int number[OPENVINO_TYPES];
};

/* An element type. */
struct openvino_type {
	const char *engine; /* OpenVINO's name */
	const char *name;   /* NumPy's name */
	uint32_t bytes;
};

extern const struct openvino_type openvino_type_list[OPENVINO_TYPES];

/* Stores the numbers of all types, and checks them by the sizes of tensors. Returns 0, or
 * -1 and the reason. */
int openvino_types_find(const struct openvino *ov, const struct ov_core *core,
    struct openvino_types *types, char *why);
/* Returns the type of a number, or NULL. */
const struct openvino_type *openvino_type_of(
    const struct openvino_types *types, int number);

#endif
