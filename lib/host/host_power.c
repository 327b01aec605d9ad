/*
 * Facts of the energy counters: which there are, and who shows them to this process.
 */
#include <string.h>

#include "host/host_read.h"
#include "energy/energy_source.h"

void read_energy_domains(struct host_source *s, const char *arg, struct buf *out)
{
	struct power *p = power_open(&s->tree);
	const struct power_list *list = power_list(p);

	(void)arg;
	for (size_t i = 0; i < list->count; i++)
		buf_printf(out, "%s%s", i ? " " : "", list->counter[i].name);
	power_close(p);
}

void read_energy_access(struct host_source *s, const char *arg, struct buf *out)
{
	struct power *p = power_open(&s->tree);
	const struct power_list *list = power_list(p);

	(void)arg;
	if (list->count)
		buf_str(out, power_state(p) == POWER_READY ? list->counter[0].source->name
		                                           : "denied");
	power_close(p);
}
