/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A backend in the place of hip, with the devices that a test lists. */
#include "listed.h"

LISTED_BACKEND("hip", "FAKE_HIP", WHOLE_BACKEND);
