/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes on how a profile was taken, for people. Each is one line.
 */
#ifndef PROFILE_PROFILE_NOTES_H
#define PROFILE_PROFILE_NOTES_H

#include "profile/profile_command.h"
#include "profile/profile_kind.h"

/*
 * Appends how the event differs from the request: another event, a lower frequency, or user
 * mode only. any_event: the events of opts are alternatives, none of which the user named.
 */
void profile_notes_event(struct buf *out, const struct profile_command_opts *opts,
    const struct profile_command_result *done, bool any_event);
/* Appends the numbers of lost records, why a profile is empty, and the part of waits that
 * tables do not show. */
void profile_notes_losses(
    struct buf *out, const struct profile *p, enum profile_kind_id kind);

#endif
