/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads pictures as elements of inputs: JPEG and PNG files, which picture_prepare.h
 * prepares.
 */
#ifndef PORT_PORT_PICTURE_H
#define PORT_PORT_PICTURE_H

#include "bench-engine.h"
#include "picture/picture_prepare.h"

/* Stores how an input of these sizes holds pictures: by the settings, and if they leave it
 * open, by the sizes. Returns 0, or -1 and the message. */
int port_picture_input(const struct backend_port *p, const int64_t *size,
    const struct picture_settings *s, struct picture_input *out, struct fault *f);
/* Stores the elements of a picture. Returns 0, or -1 and the message. */
int port_picture_read(const char *path, const struct picture_settings *s,
    const struct picture_input *to, double *out, struct fault *f);

#endif
