/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Joins the two halves of a stack: the inner frames, found by call frame information in a
 * small copy of the stack, and the outer ones, found by frame pointers. The functions of
 * the C library that wait have no frame pointer, and hide their callers. Pure.
 */
#ifndef PROFILE_STACK_JOIN_H
#define PROFILE_STACK_JOIN_H

#include "elf/unwind.h"

/*
 * Appends to the unwound frames those of the chain that are farther out. Addresses of both
 * are those of unwind(). Returns the number of frames.
 */
size_t stack_join(
    uint64_t frame[UNWIND_FRAMES_MAX], size_t count, const uint64_t *chain, size_t links);

#endif
