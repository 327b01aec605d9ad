/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the state of the backend openvino, and the functions that its files share. */
#ifndef ENGINE_OPENVINO_SESSION_H
#define ENGINE_OPENVINO_SESSION_H

#include "bench-backend.h"
#include "openvino_api.h"
#include "openvino_types.h"

enum { OPENVINO_PORTS = 512, OPENVINO_DEVICE = 32 };

/* An open device. */
struct backend_session {
	const struct openvino *ov;
	struct ov_core *core;
	struct openvino_types types;
	char device[OPENVINO_DEVICE]; /* OpenVINO's name, such as GPU.1 */
	uint32_t threads;             /* of a CPU */
};

/* An input whose elements are those of an output of the run before: a state. Its two
 * tensors change places before each run. */
struct openvino_carry {
	size_t output, input; /* indices of the engine */
	struct ov_tensor *from, *to;
	struct ov_tensor *lent; /* another model's tensor instead of `from`, or NULL */
	/* The tensors that the input and the output have in the model's request and in the
	 * spare one: copies of the pointers above, or NULL. */
	struct ov_tensor *read[2], *write[2];
	bool open; /* whether the output has open sizes */
	bool swap; /* whether `from` and `to` change places before the next run */
};

/* A loaded model. */
struct backend_model {
	struct backend_session *s;
	struct ov_model *model;
	struct ov_compiled_model *compiled;
	struct ov_infer_request *request; /* of the last run */
	struct ov_infer_request *spare; /* for the next run, if there are states; or NULL */
	struct backend_port *port;      /* the inputs, and then the outputs */
	size_t inputs, outputs;
	bool *set; /* whether an input has elements */
	/* The tensor of an input that is not carried, while the input has the tensor of
	 * another model's output; else NULL. */
	struct ov_tensor **own;
	size_t complete;        /* the number of inputs that have elements */
	struct ov_tensor *held; /* the output that `get` returned last */
	struct openvino_carry *carry;
	size_t carries;
	struct backend_option *option; /* copies, for a profile; NULL without one */
	size_t options;
	bool cache, has_run;
};

/* The extensions of files, in lower case. */
extern const char openvino_formats[];

/* Stores a property of a device, or of a model if it is not NULL, in `value`. Returns
 * whether there is one. */
bool openvino_property(const struct backend_session *s, const struct backend_model *m,
    const char *device, const char *key, char *value, size_t size);
/* Returns whether a word is in a list whose words are separated by spaces. */
bool openvino_lists(const char *list, const char *word);

/* Reads, reshapes and compiles a model. Returns NULL and the reason if it fails. */
struct backend_model *openvino_model_load(
    struct backend_session *s, const struct backend_model_source *from, char *why);
/* Frees a model, which may be incomplete. */
void openvino_model_unload(struct backend_model *m);
/* Returns whether the source has an option. */
bool openvino_option_given(const struct backend_model_source *from, const char *name);
/* Compiles the model for the device of its session, so that it measures its nodes if a
 * profile is wanted. Returns 0, or -1 and the reason. */
int openvino_model_compile(const struct backend_model *m,
    const struct backend_model_source *from, bool profile,
    struct ov_compiled_model **compiled, char *why);
/* Keeps the options of a model for openvino_model_time_ops. Returns 0, or -1 and the
 * reason. */
int openvino_options_keep(
    struct backend_model *m, const struct backend_model_source *from, char *why);
/* Frees the kept options. */
void openvino_options_free(struct backend_model *m);

/* Fills the names of open dimensions, and the names of outputs, from an ONNX file. */
void openvino_onnx_names(
    const void *bytes, size_t size, struct backend_port *port, size_t ports);

/* Gives a tensor other sizes if it has others. Returns OpenVINO's status. */
int openvino_tensor_resize(const struct openvino_api *api, struct ov_tensor *tensor,
    const int64_t *size, uint32_t dims);
/* Notes that an input has elements, which come before those of the last run. */
void openvino_input_note(struct backend_model *m, size_t input);
/* Gives an input its own tensor back, if it has that of another model. Returns OpenVINO's
 * status. */
int openvino_input_reclaim(struct backend_model *m, size_t input);
/* Makes the outputs of the run before the inputs of the next. Returns OpenVINO's status. */
int openvino_carries_swap(struct backend_model *m);

/* The other hooks of the engine; see bench-engine.h. */
int openvino_model_ports(
    struct backend_model *m, struct backend_port *list, size_t max, char *why);
int openvino_model_set(struct backend_model *m, size_t port, const int64_t *size,
    uint32_t dims, const void *elements, size_t bytes, char *why);
int openvino_model_carry(struct backend_model *m, size_t output, size_t input, char *why);
int openvino_model_adopt(struct backend_model *m, size_t input, struct backend_model *from,
    size_t output, char *why);
int openvino_model_run(struct backend_model *m, char *why);
int openvino_model_get(struct backend_model *m, size_t port, struct backend_port *shape,
    const void **elements, size_t *bytes, char *why);
void openvino_model_facts(
    struct backend_model *m, backend_report_fact *report, void *context);
int openvino_model_time_ops(
    struct backend_model *m, const struct backend_op_report *to, char *why);

#endif
