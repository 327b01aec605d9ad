/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the energy counters of GPUs; see energy_source.h and gpu.h. They count
 * since the driver was loaded, and do not wrap.
 */
#include <stdio.h>
#include <stdlib.h>

#include "energy/energy_source.h"
#include "sys/gpu.h"

/* Current drivers of NVIDIA update the counter 10 to 50 times a second, others more often.
 */
static const double update_s = 0.1;

struct card {
	struct gpus *gpus;
	size_t number;
	bool owner; /* owns gpus, which all cards use */
};

static enum energy_state open_cards(
    struct energy_counter_list *list, const struct kernel_files *files, struct fault *why)
{
	struct gpus *gpus = gpus_open(files, why);
	uint64_t millijoules;

	for (size_t i = 0; gpus && i < gpus_count(gpus); i++) {
		if (!gpus_energy(gpus, i, &millijoules))
			continue;
		struct energy_counter *c = energy_counter_add(list, &energy_source_card);
		struct card *card = mem_zero(1, sizeof(*card));

		*card = (struct card){ gpus, i, list->count == 1 };
		c->domain = ENERGY_GPU;
		c->name = str_copy(gpus_name(gpus, i));
		c->access = gpus_interface(gpus, i);
		snprintf(c->pci, sizeof(c->pci), "%s", gpus_pci(gpus, i));
		c->units_per_joule = 1e3;
		c->quantum_joules = 1e-3;
		c->update_s = update_s;
		c->handle = card;
	}
	if (list->count)
		return ENERGY_READY;
	if (gpus)
		fault_set(why, "no GPU has an energy counter");
	gpus_close(gpus);
	return ENERGY_UNSUPPORTED;
}

static bool read_card(
    const struct kernel_files *files, const struct energy_counter *c, uint64_t *units)
{
	const struct card *card = c->handle;

	(void)files;
	return gpus_energy(card->gpus, card->number, units);
}

static void close_card(struct energy_counter *c)
{
	struct card *card = c->handle;

	if (card && card->owner)
		gpus_close(card->gpus);
	free(card);
}

const struct energy_source energy_source_card = {
	.name = "gpu",
	.device = ENERGY_DEVICE_CARD,
	.open = open_cards,
	.read = read_card,
	.close = close_card,
};
