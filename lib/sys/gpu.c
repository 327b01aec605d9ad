/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GPUs of all drivers; see gpu.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sys/gpu_priv.h"

struct gpus {
	struct gpu_card_list list;
};

/* Names the cards of a driver. first is the number of cards that earlier drivers have. */
static unsigned name_cards(struct gpu_card_list *list, size_t from, unsigned first)
{
	unsigned next = first;

	for (size_t i = from; i < list->count; i++) {
		struct gpu_card *c = &list->card[i];

		snprintf(c->name, sizeof(c->name), "gpu%u", first + c->number);
		next = first + c->number + 1;
	}
	return next;
}

struct gpus *gpus_open(const struct kernel_files *files, struct fault *f)
{
	static const struct gpu_interface *const drivers[] = { &gpu_nvml, &gpu_rocm,
		&gpu_sysfs };
	struct gpus *g = mem_zero(1, sizeof(*g));
	struct buf why = { 0 };
	unsigned next = 0;

	g->list.files = files;
	for (size_t i = 0; i < COUNT(drivers); i++) {
		size_t from = g->list.count;
		struct fault of;

		if (drivers[i]->open(&g->list, &of) < 0 && *of.text)
			buf_printf(&why, "%s%s", why.len ? "; " : "", of.text);
		next = name_cards(&g->list, from, next);
	}
	if (!g->list.count) {
		fault_set(f, "%s", why.ptr);
		gpus_close(g);
		g = NULL;
	}
	buf_free(&why);
	return g;
}

void gpus_close(struct gpus *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->list.count; i++)
		g->list.card[i].driver->close(&g->list.card[i]);
	free(g->list.card);
	free(g);
}

size_t gpus_count(const struct gpus *g)
{
	return g->list.count;
}

const char *gpus_name(const struct gpus *g, size_t i)
{
	return g->list.card[i].name;
}

const char *gpus_interface(const struct gpus *g, size_t i)
{
	return g->list.card[i].interface;
}

void gpus_read(const struct gpus *g, size_t i, double value[GPU_METRICS])
{
	struct gpu_card *c = &g->list.card[i];

	for (size_t m = 0; m < GPU_METRICS; m++)
		value[m] = NAN;
	c->driver->read(c, value);
}

bool gpus_energy(const struct gpus *g, size_t i, uint64_t *millijoules)
{
	struct gpu_card *c = &g->list.card[i];

	return c->driver->energy(c, millijoules);
}

void gpus_fact(const struct gpus *g, size_t i, enum gpu_fact fact, struct buf *out)
{
	struct gpu_card *c = &g->list.card[i];

	c->driver->fact(c, fact, out);
}

void gpus_put_id(const struct gpus *g, size_t i, struct buf *out)
{
	struct gpu_card *c = &g->list.card[i];

	if (c->driver->put_id)
		c->driver->put_id(c, out);
}

const char *gpus_pci(const struct gpus *g, size_t i)
{
	return g->list.card[i].pci;
}

uint64_t gpus_at(const struct gpus *g, const char *pci)
{
	uint64_t found = 0;

	for (size_t i = 0; i < g->list.count && i < 64; i++)
		if (*pci && strcmp(gpus_pci(g, i), pci) == 0)
			found |= UINT64_C(1) << i;
	return found;
}

int gpus_lock_clock(const struct gpus *g, size_t i, unsigned mhz, struct fault *f)
{
	struct gpu_card *c = &g->list.card[i];

	if (!c->driver->lock_clock)
		return fault_set(
		    f, "%s: the clock cannot be locked through %s", c->name, c->interface);
	return c->driver->lock_clock(c, mhz, f);
}

bool gpus_have_library(void)
{
	return gpu_nvml_library() || gpu_rocm_library();
}
