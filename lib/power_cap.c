/*
 * Energy from the powercap zones, Documentation/power/powercap in the kernel: Intel's and,
 * since Linux 5.11, AMD's RAPL. The zones of a processor are flat in one directory: a
 * package is intel-rapl:0, what lies in it or beside it intel-rapl:0:1, the platform a zone
 * on the level of the packages. A laptop may show the same package again through its other
 * register window (intel-rapl-mmio): one way in is used, and only one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "power.h"

#define ZONES "sys/class/powercap"

static const char *const ways[] = { "intel-rapl:", "intel-rapl-tpmi:", "intel-rapl-mmio:" };

/* The registers are renewed about every millisecond (Intel SDM, volume 3, RAPL). */
static const double update_s = 1e-3;
/* They are 32 bits wide, so that a step is the range over this. */
static const double register_steps = 4294967296.0;

static enum power_state open_zone(
    struct power_list *list, const struct tree *tree, const char *zone, struct fault *why)
{
	char *path = str_format(ZONES "/%s/name", zone);
	enum power_state state = POWER_UNSUPPORTED;
	enum energy_domain domain;
	struct buf name = { 0 };
	double range = 0;

	if (tree_line(tree, path, &name) &&
	    energy_domain_parse((struct text){ name.ptr, name.len }, &domain)) {
		free(path);
		path = str_format(ZONES "/%s/max_energy_range_uj", zone);
		tree_number(tree, path, &range);
		free(path);
		path = str_format(ZONES "/%s/energy_uj", zone);
	}
	if (range > 0 && tree_exists(tree, path)) {
		struct power_counter *c = power_add(list, &power_powercap);

		c->domain = domain;
		c->name = str_copy(name.ptr);
		c->range = (uint64_t)range;
		c->units_per_joule = 1e6;
		c->quantum_joules = range / register_steps / 1e6;
		c->update_s = update_s;
		c->fd = tree_descriptor(tree, path);
		state = POWER_READY;
		if (c->fd < 0) {
			state = POWER_DENIED;
			fault_set(why,
			    "/%s: %s (it is root's since Linux 5.10; run: sudo chmod a+r "
			    "/" ZONES "/*/energy_uj)",
			    path, strerror(errno));
		}
	}
	buf_free(&name);
	free(path);
	return state;
}

static enum power_state open_way(struct power_list *list, const struct tree *tree,
    const char *way, char *const *zones, size_t count, struct fault *why)
{
	enum power_state worst = POWER_UNSUPPORTED;

	for (size_t i = 0; i < count; i++) {
		struct fault f;
		enum power_state state;

		if (strncmp(zones[i], way, strlen(way)) != 0)
			continue;
		state = open_zone(list, tree, zones[i], &f);
		if (state == POWER_DENIED && worst != POWER_DENIED)
			*why = f;
		if (state == POWER_DENIED || worst == POWER_UNSUPPORTED)
			worst = state;
	}
	return worst;
}

static enum power_state open_powercap(
    struct power_list *list, const struct tree *tree, struct fault *why)
{
	enum power_state state = POWER_UNSUPPORTED;
	char **zones;
	size_t count = tree_names(tree, ZONES, &zones);

	fault_set(why, "no energy counter in /" ZONES);
	for (size_t w = 0; w < COUNT(ways) && state == POWER_UNSUPPORTED; w++)
		state = open_way(list, tree, ways[w], zones, count, why);
	tree_names_free(zones, count);
	return state;
}

static bool read_powercap(
    const struct tree *tree, const struct power_counter *c, uint64_t *units)
{
	(void)tree;
	return tree_descriptor_count(c->fd, units);
}

static void close_powercap(struct power_counter *c)
{
	if (c->fd >= 0)
		close(c->fd);
}

const struct power_source power_powercap = {
	.name = "powercap",
	.device = POWER_PROCESSOR,
	.open = open_powercap,
	.read = read_powercap,
	.close = close_powercap,
};
