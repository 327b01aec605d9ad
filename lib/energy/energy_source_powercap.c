/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads energy from powercap zones (Documentation/power/powercap of the kernel): RAPL of
 * Intel and, since Linux 5.11, of AMD. All zones are in one directory: a package is
 * intel-rapl:0, its domains are intel-rapl:0:1 and so on, and the platform is a zone on the
 * level of the packages. A laptop may show the same package again through another register
 * window (intel-rapl-mmio). Only one of these interfaces is used.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir_names.h"
#include "energy/energy_source.h"

#define ZONES "sys/class/powercap"

static const char *const ways[] = { "intel-rapl:", "intel-rapl-tpmi:", "intel-rapl-mmio:" };

/* The registers are updated about every millisecond (Intel SDM, volume 3, RAPL). */
static const double update_s = 1e-3;
/* The registers have 32 bits, so a step is the range divided by this. */
static const double register_steps = 4294967296.0;

/*
 * Opens and reads a number in a file of a zone. Returns ready, denied (why has the reason)
 * or unsupported. A file that is permitted but cannot be read, because the registers are
 * locked, is unsupported. The caller closes *fd.
 */
static enum energy_state open_number(const struct kernel_files *files, const char *path,
    int *fd, uint64_t *out, struct fault *why)
{
	*fd = kernel_file_open(files, path);
	if (*fd >= 0)
		return kernel_file_count(*fd, out) ? ENERGY_READY : ENERGY_UNSUPPORTED;
	if (errno != EACCES && errno != EPERM)
		return ENERGY_UNSUPPORTED;
	fault_set(why,
	    "/%s: %s (only root can read it since Linux 5.10; run: sudo chmod a+r "
	    "/%s/*/*_uj)",
	    path, strerror(errno), ZONES);
	return ENERGY_DENIED;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

static enum energy_state open_zone(struct energy_counter_list *list,
    const struct kernel_files *files, const char *zone, struct fault *why)
{
	char *name_path = str_format(ZONES "/%s/name", zone),
	     *range_path = str_format(ZONES "/%s/max_energy_range_uj", zone),
	     *energy_path = str_format(ZONES "/%s/energy_uj", zone);
	enum energy_state state = ENERGY_UNSUPPORTED;
	enum energy_domain domain;
	struct buf name = { 0 };
	uint64_t range = 0, energy;
	int range_fd = -1, fd = -1;

	if (kernel_file_line(files, name_path, &name) &&
	    energy_domain_parse(text_in(&name), &domain))
		state = open_number(files, energy_path, &fd, &energy, why);
	if (state == ENERGY_READY)
		state = open_number(files, range_path, &range_fd, &range, why);
	if (state == ENERGY_READY && !range)
		state = ENERGY_UNSUPPORTED;
	close_if_open(range_fd);
	if (state != ENERGY_READY) {
		close_if_open(fd);
		fd = -1;
	}
	if (state != ENERGY_UNSUPPORTED) {
		struct energy_counter *c =
		    energy_counter_add(list, &energy_source_powercap);

		c->domain = domain;
		c->name = str_copy(name.ptr);
		c->range_units = range;
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

static enum energy_state open_way(struct energy_counter_list *list,
    const struct kernel_files *files, const char *way, char *const *zones, size_t count,
    struct fault *why)
{
	enum energy_state worst = ENERGY_UNSUPPORTED;

	for (size_t i = 0; i < count; i++) {
		struct fault f;
		enum energy_state state;

		if (strncmp(zones[i], way, strlen(way)) != 0)
			continue;
		state = open_zone(list, files, zones[i], &f);
		if (state == ENERGY_DENIED && worst != ENERGY_DENIED)
			*why = f;
		if (state == ENERGY_DENIED || worst == ENERGY_UNSUPPORTED)
			worst = state;
	}
	return worst;
}

static enum energy_state open_powercap(
    struct energy_counter_list *list, const struct kernel_files *files, struct fault *why)
{
	enum energy_state state = ENERGY_UNSUPPORTED;
	char **zones;
	size_t count = kernel_dir_names(files, ZONES, &zones);

	fault_set(why, "no energy counter in /" ZONES);
	for (size_t w = 0; w < COUNT(ways) && state == ENERGY_UNSUPPORTED; w++)
		state = open_way(list, files, ways[w], zones, count, why);
	dir_names_free(zones, count);
	return state;
}

static bool read_powercap(
    const struct kernel_files *files, const struct energy_counter *c, uint64_t *units)
{
	(void)files;
	return kernel_file_count(c->fd, units);
}

static void close_powercap(struct energy_counter *c)
{
	close_if_open(c->fd);
}

const struct energy_source energy_source_powercap = {
	.name = "powercap",
	.device = ENERGY_DEVICE_PROCESSOR,
	.open = open_powercap,
	.read = read_powercap,
	.close = close_powercap,
};
