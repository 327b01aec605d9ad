/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds cards to the list of a driver; see gpu_priv.h. */
#include "sys/gpu_priv.h"

struct gpu_card *gpu_card_add(struct gpu_card_list *list,
    const struct gpu_interface *driver, const char *interface, unsigned number)
{
	struct gpu_card *c = VEC_ADD(list->card, list->count, list->cap);

	*c =
	    (struct gpu_card){ .driver = driver, .interface = interface, .number = number };
	return c;
}
