/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of OpenVINO's C interface that the plug-in openvino uses, declared here because
 * its headers are installed in few places. The functions are those of 2023.3 and later; no
 * value of an enumeration is declared, because these differ between versions.
 */
#ifndef ENGINE_OPENVINO_API_H
#define ENGINE_OPENVINO_API_H

#include <stddef.h>
#include <stdint.h>

/* Objects of OpenVINO. */
struct ov_core;
struct ov_model;
struct ov_compiled_model;
struct ov_infer_request;
struct ov_tensor;
struct ov_output_const_port;

/* The version of the library or of a device's plug-in. */
struct openvino_version {
	const char *build, *description;
};

/* The names of the devices that can be used. */
struct openvino_names {
	char **name;
	size_t count;
};

/* The sizes of a tensor. */
struct openvino_shape {
	int64_t rank, *size;
};

/* The smallest and the largest value of a size; they are equal if the size is fixed. */
struct openvino_range {
	int64_t least, most;
};

/* The sizes of an input or output, which may be open. */
struct openvino_open_shape {
	struct openvino_range rank, *size;
};

/* The time of a node in the last inference. */
struct openvino_node {
	int state; /* OPENVINO_EXECUTED or another value */
	int64_t wall_us, cpu_us;
	const char *name, *kernel, *type;
};

struct openvino_nodes {
	struct openvino_node *node;
	size_t count;
};

/* The value of `state` of an executed node. */
enum { OPENVINO_EXECUTED = 2 };

/* The functions, without their prefix ov_. Those that return an int return 0 on success. */
struct openvino_api {
	int (*get_openvino_version)(struct openvino_version *);
	void (*version_free)(struct openvino_version *);
	void (*free)(const char *);
	const char *(*get_last_err_msg)(void);
	const char *(*get_error_info)(int);

	int (*core_create)(struct ov_core **);
	void (*core_free)(struct ov_core *);
	int (*core_get_available_devices)(const struct ov_core *, struct openvino_names *);
	void (*available_devices_free)(struct openvino_names *);
	int (*core_get_property)(
	    const struct ov_core *, const char *device, const char *key, char **value);
	int (*core_set_property)(const struct ov_core *, const char *device, ...);
	int (*core_read_model)(const struct ov_core *, const char *path,
	    const char *weights, struct ov_model **);
	int (*core_read_model_from_memory_buffer)(const struct ov_core *, const char *bytes,
	    size_t, const struct ov_tensor *weights, struct ov_model **);
	int (*core_compile_model)(const struct ov_core *, const struct ov_model *,
	    const char *device, size_t strings, struct ov_compiled_model **, ...);

	void (*model_free)(struct ov_model *);
	int (*model_inputs_size)(const struct ov_model *, size_t *);
	int (*model_outputs_size)(const struct ov_model *, size_t *);
	int (*model_const_input_by_index)(
	    const struct ov_model *, size_t, struct ov_output_const_port **);
	int (*model_const_output_by_index)(
	    const struct ov_model *, size_t, struct ov_output_const_port **);
	int (*model_reshape_by_port_indexes)(const struct ov_model *, const size_t *index,
	    const struct openvino_open_shape *, size_t);

	int (*port_get_any_name)(const struct ov_output_const_port *, char **);
	int (*port_get_partial_shape)(
	    const struct ov_output_const_port *, struct openvino_open_shape *);
	int (*port_get_element_type)(const struct ov_output_const_port *, int *);
	void (*output_const_port_free)(struct ov_output_const_port *);
	void (*partial_shape_free)(struct openvino_open_shape *);
	int (*shape_free)(struct openvino_shape *);

	void (*compiled_model_free)(struct ov_compiled_model *);
	int (*compiled_model_get_property)(
	    const struct ov_compiled_model *, const char *key, char **value);
	int (*compiled_model_create_infer_request)(
	    const struct ov_compiled_model *, struct ov_infer_request **);

	void (*infer_request_free)(struct ov_infer_request *);
	int (*infer_request_infer)(struct ov_infer_request *);
	int (*infer_request_get_input_tensor_by_index)(
	    const struct ov_infer_request *, size_t, struct ov_tensor **);
	int (*infer_request_get_output_tensor_by_index)(
	    const struct ov_infer_request *, size_t, struct ov_tensor **);
	int (*infer_request_set_input_tensor_by_index)(
	    struct ov_infer_request *, size_t, const struct ov_tensor *);
	int (*infer_request_set_output_tensor_by_index)(
	    struct ov_infer_request *, size_t, const struct ov_tensor *);
	int (*infer_request_get_profiling_info)(
	    const struct ov_infer_request *, struct openvino_nodes *);
	void (*profiling_info_list_free)(struct openvino_nodes *);

	int (*tensor_create)(int type, struct openvino_shape, struct ov_tensor **);
	int (*tensor_set_shape)(struct ov_tensor *, struct openvino_shape);
	int (*tensor_get_shape)(const struct ov_tensor *, struct openvino_shape *);
	int (*tensor_get_byte_size)(const struct ov_tensor *, size_t *);
	int (*tensor_data)(const struct ov_tensor *, void **);
	void (*tensor_free)(struct ov_tensor *);

	/* Optional: 2025.4 and later. */
	void (*util_set_log_callback)(void (*)(const char *));
};

/* The library. */
struct openvino {
	struct openvino_api api;
	char version[32]; /* such as 2026.4.1 */
};

/* Loads the library into this process, once. Returns NULL and the reason if there is none,
 * or if it lacks a function, as versions before 2023.3 do. */
const struct openvino *openvino_load(char *why);
/*
 * Writes to `why` what was attempted and the last line of the library's message about the
 * function that failed with this status, and returns -1.
 */
int openvino_fail(const struct openvino *ov, int status, char *why, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
