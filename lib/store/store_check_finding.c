/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The findings of a check, which all its parts report.
 */
#include "store/store_check_priv.h"
#include "text/display_text.h"

void store_check_report(struct store_checking *c, enum store_check_gravity gravity)
{
	c->checked->findings++;
	c->checked->damages += gravity == STORE_CHECK_DAMAGE;
	c->finding(c->ctx, c->text.ptr);
	c->text.len = 0;
}

void store_check_begin(struct store_checking *c, bool series)
{
	c->text.len = 0;
	buf_str(&c->text, "run ");
	display_text_clean(&c->text, c->run);
	if (series) {
		buf_str(&c->text, ", ");
		store_series_name(&c->series, &c->text);
	}
	buf_str(&c->text, ": ");
}
