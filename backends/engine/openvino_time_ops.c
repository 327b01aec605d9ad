/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the time of each node. A model that was compiled for this is slower, so the runs
 * that are measured as a whole do not use it: this compiles the model a second time.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/hook/hook.h"
#include "openvino_session.h"

enum { RUNS = 3 }; /* the last one is measured, because the first is slower */

void openvino_options_free(struct backend_model *m)
{
	for (size_t i = 0; i < m->options; i++) {
		free((char *)m->option[i].name);
		free((char *)m->option[i].value);
	}
	free(m->option);
}

int openvino_options_keep(
    struct backend_model *m, const struct backend_model_source *from, char *why)
{
	bool complete;

	m->option = calloc(from->options + 1, sizeof(*m->option));
	complete = m->option != NULL;
	for (size_t i = 0; complete && i < from->options; i++) {
		struct backend_option *o = &m->option[m->options++];

		o->name = strdup(from->option[i].name);
		o->value = strdup(from->option[i].value);
		complete = o->name && o->value;
	}
	return complete ? 0 : hook_fail(why, "out of memory");
}

/* Gives a request the inputs of the model's own request. Returns OpenVINO's status. */
static int inputs_share(const struct backend_model *m, struct ov_infer_request *request)
{
	const struct openvino_api *api = &m->s->ov->api;
	int status = 0;

	for (size_t i = 0; i < m->inputs && status == 0; i++) {
		struct ov_tensor *tensor = NULL;

		status =
		    api->infer_request_get_input_tensor_by_index(m->request, i, &tensor);
		if (status == 0)
			status = api->infer_request_set_input_tensor_by_index(
			    request, i, tensor);
		if (tensor)
			api->tensor_free(tensor);
	}
	return status;
}

/* Runs a request, and reports its nodes. Returns OpenVINO's status. */
static int nodes_report(const struct openvino_api *api, struct ov_infer_request *request,
    const struct backend_op_report *to)
{
	struct openvino_nodes nodes = { NULL, 0 };
	int status = 0;

	for (int i = 0; i < RUNS && status == 0; i++)
		status = api->infer_request_infer(request);
	if (status == 0)
		status = api->infer_request_get_profiling_info(request, &nodes);
	if (status)
		return status;
	for (size_t i = 0; i < nodes.count; i++) {
		const struct openvino_node *node = &nodes.node[i];

		if (node->state == OPENVINO_EXECUTED)
			to->mean(to->context, node->name, node->type,
			    1e3 * (double)node->wall_us);
	}
	api->profiling_info_list_free(&nodes);
	return 0;
}

int openvino_model_time_ops(
    struct backend_model *m, const struct backend_op_report *to, char *why)
{
	const struct backend_model_source from = { .option = m->option,
		.options = m->options };
	const struct openvino_api *api = &m->s->ov->api;
	struct ov_compiled_model *compiled = NULL;
	struct ov_infer_request *request = NULL;
	int status;

	/* The first run of the model, if there was none, also checks its inputs. */
	if ((!m->has_run && openvino_model_run(m, why)) ||
	    openvino_model_compile(m, &from, true, &compiled, why))
		return -1;
	status = api->compiled_model_create_infer_request(compiled, &request);
	if (status == 0)
		status = inputs_share(m, request);
	if (status == 0)
		status = nodes_report(api, request, to);
	if (request)
		api->infer_request_free(request);
	api->compiled_model_free(compiled);
	return status ? openvino_fail(m->s->ov, status, why, "the times of nodes") : 0;
}
