/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives tensors other sizes. */
#include <string.h>

#include "openvino_session.h"

int openvino_tensor_resize(const struct openvino_api *api, struct ov_tensor *tensor,
    const int64_t *size, uint32_t dims)
{
	struct openvino_shape has = { 0, NULL };
	int64_t copy[BACKEND_PORT_DIMS];
	bool same;

	if (dims == 0)
		return 0;
	if (api->tensor_get_shape(tensor, &has) == 0) {
		same =
		    has.rank == dims && memcmp(has.size, size, dims * sizeof(*size)) == 0;
		api->shape_free(&has);
		if (same)
			return 0;
	}
	memcpy(copy, size, dims * sizeof(*size));
	return api->tensor_set_shape(tensor, (struct openvino_shape){ dims, copy });
}
