/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stores numbers as elements of inputs. Pure.
 */
#ifndef PORT_PORT_STORE_H
#define PORT_PORT_STORE_H

#include "base/base.h"
#include "bench-engine.h"

/* Returns whether numbers can be stored in this input. */
bool port_takes_numbers(const struct backend_port *p);
/* Returns whether its elements are floating-point numbers, among those types. */
bool port_is_float(const struct backend_port *p);
/* Appends numbers as elements. Those of integer types must not be negative, except in int8
 * and int32. */
void port_store(
    const struct backend_port *p, const double *from, size_t count, struct buf *out);

#endif
