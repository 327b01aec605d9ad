/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes reasons of failures for hooks.
 */
#ifndef ENGINE_FAIL_H
#define ENGINE_FAIL_H

/* Writes a reason of at most BACKEND_WHY bytes, as one line. Returns -1. */
int engine_fail(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
