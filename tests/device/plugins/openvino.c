/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An engine in the place of OpenVINO, with the devices that a test lists. */
#include "listed.h"

LISTED_BACKEND("openvino", "FAKE_OPENVINO", WHOLE_ENGINE);
