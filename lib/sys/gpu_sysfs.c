/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GPUs of AMD and Intel through files of the kernel, if no library manages them.
 */
#include <stdio.h>
#include <string.h>

#include "base/dir_names.h"
#include "sys/gpu_priv.h"

/* Returns whether another driver manages the cards of amdgpu. */
static bool is_managed(const struct gpu_card_list *list, const struct gpu_files *c)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->card[i].driver == &gpu_rocm &&
		    strcmp(gpu_files_driver(c), "amdgpu") == 0)
			return true;
	return false;
}

static int open_sysfs(struct gpu_card_list *list, struct fault *f)
{
	size_t before = list->count;
	char **names;
	size_t count = kernel_dir_names(list->files, GPU_FILES_DIR, &names);

	for (size_t i = 0; i < count; i++) {
		struct gpu_files *c = gpu_files_open(list->files, names[i]);

		if (!c || is_managed(list, c)) {
			gpu_files_close(c);
			continue;
		}
		struct gpu_card *card = gpu_card_add(list, &gpu_sysfs, gpu_files_driver(c),
		    (unsigned)(list->count - before));

		card->own = c;
		snprintf(card->pci, sizeof(card->pci), "%s", gpu_files_address(c));
	}
	dir_names_free(names, count);
	return list->count > before
	           ? 0
	           : fault_set(f, "/sys/class/drm: no card of AMD or Intel");
}

static void close_sysfs(struct gpu_card *c)
{
	gpu_files_close(c->own);
}

static void read_sysfs(struct gpu_card *c, double value[GPU_METRICS])
{
	gpu_files_read(c->own, value);
}

static bool read_sysfs_energy(struct gpu_card *c, uint64_t *millijoules)
{
	double joules;

	if (!gpu_files_energy(c->own, &joules))
		return false;
	*millijoules = (uint64_t)(joules * 1e3);
	return true;
}

static void put_sysfs_fact(struct gpu_card *c, enum gpu_fact fact, struct buf *out)
{
	gpu_files_fact(c->own, fact, out);
}

const struct gpu_interface gpu_sysfs = {
	.open = open_sysfs,
	.close = close_sysfs,
	.read = read_sysfs,
	.energy = read_sysfs_energy,
	.fact = put_sysfs_fact,
};
