/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds attention masks among the inputs of whole models. Pure.
 */
#ifndef PORT_PORT_MASK_H
#define PORT_PORT_MASK_H

#include "base/base.h"
#include "bench-engine.h"
#include "text/shell_words.h"

/* Returns whether the name of an input contains `mask`. */
bool port_is_mask(const struct backend_port *p);
/*
 * Returns the number of the input that masks the padding of input `tokens`, or `inputs` if
 * there is none: an input with `mask` in its name and the same sizes, with these values of
 * open dimensions. Among several it is the one whose name begins like that of the tokens,
 * as decoder_attention_mask and decoder_input_ids do, or else the one with the shortest
 * name.
 */
size_t port_mask_of(const struct backend_port *port, size_t inputs, size_t tokens,
    const struct binding *value, size_t values);

#endif
