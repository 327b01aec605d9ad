/*
 * Presets; see preset.h. The first metric and the first column that are there are taken; -y
 * and -x say otherwise.
 */
#include <string.h>

#include "plot/preset.h"

const struct preset presets[] = {
	{ "latency", "line: time against batch size", "line", "latency,first_token,wall",
	    "batch,batch_size" },
	{ "throughput", "line: rate against batch size", "line", "throughput,token_rate",
	    "batch,batch_size" },
	{ "memory", "line: memory against batch size", "line", "device_memory,max_rss,rss",
	    "batch,batch_size" },
	{ "hardware", "bar: the same work on each device or machine", "bar",
	    "throughput,token_rate,latency,wall", "device,backend,host,env" },
	{ "architecture", "bar: models or architectures beside each other", "bar",
	    "throughput,token_rate,latency,wall", "arch,bench" },
};
const size_t presets_count = COUNT(presets);

bool preset_kind(const char *name, struct figure_kind *out)
{
	const struct figure_kind *kind = figure_kind_find(name);
	const struct preset *preset = NULL;

	for (size_t i = 0; i < presets_count && !kind; i++)
		if (strcmp(presets[i].name, name) == 0)
			preset = &presets[i];
	if (preset)
		kind = figure_kind_find(preset->kind);
	if (!kind)
		return false;
	*out = *kind;
	if (preset) {
		out->metric = preset->metric;
		out->x = preset->x;
	}
	return true;
}
