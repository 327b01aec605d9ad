/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports facts about a model. */
#include <stdio.h>
#include <string.h>

#include "openvino_session.h"

void openvino_model_facts(
    struct backend_model *m, backend_report_fact *report, void *context)
{
	static const struct {
		const char *fact, *key;
	} properties[] = {
		{ "threads", "INFERENCE_NUM_THREADS" },
		{ "streams", "NUM_STREAMS" },
		/* The type that operations compute in; "model": as in the model. */
		{ "precision", "INFERENCE_PRECISION_HINT" },
		{ "devices", "EXECUTION_DEVICES" },
	};
	char text[256];

	snprintf(text, sizeof(text), "openvino %s", m->s->ov->version);
	report(context, "engine", text);
	for (size_t i = 0; i < sizeof(properties) / sizeof(*properties); i++)
		if (openvino_property(m->s, m, NULL, properties[i].key, text, sizeof(text)))
			report(context, properties[i].fact,
			    openvino_lists("dynamic undefined", text) ? "model" : text);
	if (!m->cache)
		report(context, "cache", "off");
	else if (openvino_property(m->s, m, NULL, "LOADED_FROM_CACHE", text, sizeof(text)))
		report(context, "cache", *text == 'Y' || *text == '1' ? "hit" : "miss");
	/* The plug-in of processors runs all nodes or refuses the model. */
	if (openvino_property(m->s, m, NULL, "EXECUTION_DEVICES", text, sizeof(text)) &&
	    strcmp(text, "CPU") == 0)
		report(context, "fallback_ops", "0");
}
