/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of bench-list for events.
 */
#ifndef CATALOG_LIST_EVENTS_H
#define CATALOG_LIST_EVENTS_H

#include "catalog/list_request.h"

/*
 * Prints the table of events that can be counted; with r->all, of all events. Returns the
 * number of its rows, or -1 and the message if the events cannot be read or the table
 * cannot be written.
 */
long list_events(const struct list_request *r, struct fault *f);

#endif
