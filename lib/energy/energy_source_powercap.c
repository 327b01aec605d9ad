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

#include "base/dir_names.h"
#include "energy/energy_source.h"

#define ZONES "sys/class/powercap"

static const char *const ways[] = { "intel-rapl:", "intel-rapl-tpmi:", "intel-rapl-mmio:" };

/* The registers are renewed about every millisecond (Intel SDM, volume 3, RAPL). */
static const double update_s = 1e-3;
/* They are 32 bits wide, so that a step is the range over this. */
static const double register_steps = 4294967296.0;

/*
 * A number in a file of a zone: ready, denied (why says how) or unsupported, which is also
 * a file that cannot be read although one may: registers that are locked. The descriptor is
 * handed on.
 */
static enum power_state open_number(
    const struct tree *tree, const char *path, int *fd, uint64_t *out, struct fault *why)
{
	*fd = tree_descriptor(tree, path);
	if (*fd >= 0)
		return tree_descriptor_count(*fd, out) ? POWER_READY : POWER_UNSUPPORTED;
	if (errno != EACCES && errno != EPERM)
		return POWER_UNSUPPORTED;
	fault_set(why,
	    "/%s: %s (it is root's since Linux 5.10; run: sudo chmod a+r /%s/*/*_uj)", path,
	    strerror(errno), ZONES);
	return POWER_DENIED;
}

static void shut(int fd)
{
	if (fd >= 0)
		close(fd);
}

static enum power_state open_zone(
    struct power_list *list, const struct tree *tree, const char *zone, struct fault *why)
{
	char *name_path = str_format(ZONES "/%s/name", zone),
	     *range_path = str_format(ZONES "/%s/max_energy_range_uj", zone),
	     *energy_path = str_format(ZONES "/%s/energy_uj", zone);
	enum power_state state = POWER_UNSUPPORTED;
	enum energy_domain domain;
	struct buf name = { 0 };
	uint64_t range = 0, energy;
	int range_fd = -1, fd = -1;

	if (tree_line(tree, name_path, &name) &&
	    energy_domain_parse((struct text){ name.ptr, name.len }, &domain))
		state = open_number(tree, energy_path, &fd, &energy, why);
	if (state == POWER_READY)
		state = open_number(tree, range_path, &range_fd, &range, why);
	if (state == POWER_READY && !range)
		state = POWER_UNSUPPORTED;
	shut(range_fd);
	if (state != POWER_READY) {
		shut(fd);
		fd = -1;
	}
	if (state != POWER_UNSUPPORTED) {
		struct power_counter *c = power_add(list, &power_powercap);

		c->domain = domain;
		c->name = str_copy(name.ptr);
		c->range = range;
		c->units_per_joule = 1e6;
		c->quantum_joules = (double)range / register_steps / 1e6;
		c->update_s = update_s;
		c->fd = fd;
	}
	buf_free(&name);
	free(name_path);
	free(range_path);
	free(energy_path);
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
	dir_names_free(zones, count);
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
	shut(c->fd);
}

const struct power_source power_powercap = {
	.name = "powercap",
	.device = POWER_PROCESSOR,
	.open = open_powercap,
	.read = read_powercap,
	.close = close_powercap,
};
