/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of bench-list for backends, devices, kernels and models; list_events.h has
 * that of events.
 */
#ifndef CATALOG_LIST_COMPUTE_H
#define CATALOG_LIST_COMPUTE_H

#include "catalog/list_request.h"

/*
 * Prints the table of backends. Like the functions below, returns the number of its
 * rows that are usable (backends with devices; devices; lists), or -1 and the message
 * if one cannot be read or the table cannot be written.
 */
long list_compute_backends(const struct list_request *r, struct fault *f);
/* Prints the table of devices. */
long list_compute_devices(const struct list_request *r, struct fault *f);
/* Prints the table of kernels. */
long list_compute_kernels(const struct list_request *r, struct fault *f);
/* Prints the table of models. */
long list_compute_models(const struct list_request *r, struct fault *f);

#endif
