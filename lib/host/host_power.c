/*
 * Facts of the energy counters: which there are, and who shows them to this process.
 */
#include <string.h>

#include "host/host_read.h"
#include "energy/energy_source.h"

void host_read_energy_domains(struct host_source *s, const char *arg, struct buf *out)
{
	struct energy_sources *p = energy_sources_open(&s->files);
	const struct energy_counter_list *list = energy_sources_list(p);

	(void)arg;
	for (size_t i = 0; i < list->count; i++)
		buf_printf(out, "%s%s", i ? " " : "", list->counter[i].name);
	energy_sources_close(p);
}

void host_read_energy_access(struct host_source *s, const char *arg, struct buf *out)
{
	struct energy_sources *p = energy_sources_open(&s->files);
	const struct energy_counter_list *list = energy_sources_list(p);

	(void)arg;
	if (list->count)
		buf_str(out, energy_sources_state(p) == ENERGY_READY
		                 ? list->counter[0].source->name
		                 : "denied");
	energy_sources_close(p);
}
