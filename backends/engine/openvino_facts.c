/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports facts about a model, and the times of its operations. */
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

int openvino_model_time_ops(
    struct backend_model *m, const struct backend_op_report *to, char *why)
{
	const struct openvino_api *api = &m->s->ov->api;
	struct openvino_nodes nodes = { NULL, 0 };
	int status;

	if (openvino_model_run(m, why))
		return -1;
	status = api->infer_request_get_profiling_info(m->request, &nodes);
	if (status)
		return openvino_fail(m->s->ov, status, why, "the times of nodes");
	for (size_t i = 0; i < nodes.count; i++) {
		const struct openvino_node *node = &nodes.node[i];

		if (node->state == OPENVINO_EXECUTED)
			to->mean(to->context, node->name, node->type,
			    1e3 * (double)node->wall_us);
	}
	api->profiling_info_list_free(&nodes);
	return 0;
}
