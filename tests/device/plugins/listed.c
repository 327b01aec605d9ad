/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A backend of operations, with the devices that a test lists. */
#include "listed.h"

LISTED_BACKEND("listed", "FAKE_LISTED", WHOLE_BACKEND);
