/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The environment of the commands that bench-spawn starts, which is its own.
 */
#ifndef SPAWN_ENV_H
#define SPAWN_ENV_H

#include <stdint.h>

/* Sets variables: count strings NAME=VALUE, one after the other, each with a NUL. */
void spawn_env_set(char *strings, uint32_t count);
/* Pads the environment by a number of bytes; 0: leaves it as it is. */
void spawn_env_pad(uint32_t bytes);

#endif
