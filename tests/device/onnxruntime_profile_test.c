/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the reader of ONNX Runtime's profiles on lines of real profiles and on broken
 * ones.
 */
#include "backends/engine/onnxruntime_profile.h"
#include "tests/lib/tap.h"

#define NODE(name)                                                                       \
	"{\"cat\" : \"Node\",\"pid\" :7,\"tid\" :7,\"dur\" :13,\"ts\" :40375,\"ph\" : "  \
	"\"X\",\"name\" :\"" name "\",\"args\" : {\"output_size\" : \"4\","              \
	"\"input_type_shape\" : [{\"float\":[1]}],\"op_name\" : \"Add\",\"provider\" : " \
	"\"CPUExecutionProvider\"}},\n"

static const struct {
	const char *line, *what;
	bool event, node, run;
	const char *name, *operator_type;
} cases[] = {
	{ NODE("sum_kernel_time"), "the event of a node", true, true, false, "sum", "Add" },
	{ NODE("a \\\"name\\\" :\\\\_kernel_time"), "the event of a node with quotes", true,
	    true, false, "a \"name\" :\\", "Add" },
	{ NODE("\\\"dur\\\" :99_kernel_time"), "a name that looks like a key", true, true,
	    false, "\"dur\" :99", "Add" },
	{ NODE("sum_fence_before"), "another event of a node", true, false, false,
	    "sum_fence_before", "" },
	{ "{\"cat\" : \"Session\",\"dur\" :13,\"ts\" :40375,\"name\" "
	  ":\"model_run\",\"args\" "
	  ": {}}\n",
	    "a run of the model", true, false, true, "model_run", "" },
	{ "[\n", "the start of the list", false, false, false, NULL, NULL },
	{ "]\n", "the end of the list", false, false, false, NULL, NULL },
	{ "", "an empty line", false, false, false, NULL, NULL },
	{ "{\"cat\" : \"Node\",\"ts\" :1,\"name\" :\"x_kernel_time\"}",
	    "an event without its "
	    "length",
	    false, false, false, NULL, NULL },
	{ "{\"cat\" : \"Node\",\"ts\" :1,\"dur\" :2,\"name\" :\"x", "a truncated line",
	    false, false, false, NULL, NULL },
	{ "{\"cat\" : \"Node\",\"ts\" :1,\"dur\" :-2,\"name\" :\"x\"}", "a negative length",
	    false, false, false, NULL, NULL },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ort_event e;
		const bool event = ort_event_read(cases[i].line, &e);

		tap_ok(event == cases[i].event, "%s is%s read", cases[i].what,
		    cases[i].event ? "" : " not");
		if (!event || !cases[i].event)
			continue;
		tap_ok(e.node == cases[i].node && e.run == cases[i].run &&
		           e.start_us == 40375 && e.length_us == 13,
		    "%s has its kind and times", cases[i].what);
		tap_text(e.name, cases[i].name, "an event has its name");
		tap_text(e.operator_type, cases[i].operator_type,
		    "an event has its type of operator");
	}
	return tap_end();
}
