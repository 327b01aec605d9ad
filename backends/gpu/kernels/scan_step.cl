/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mamba's selective scan of a few tokens and channels; its arguments are those of the scan in
 * sequence.cl. A work-item has one state of a channel, and a group has CHANNELS channels.
 */
enum { CHANNELS = GROUP / STATES };

KERNEL scan_states(const int groups, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, delta),
    IN(T_TYPE, decay), IN(T_TYPE, input), IN(T_TYPE, output), IN(T_TYPE, skip), IN(T_TYPE, bias),
    OUT(U_TYPE, h), const int count, const int channels, const int tokens, const int out_outer,
    const int out_inner, const int x_outer, const int x_inner, const int delta_outer,
    const int delta_inner, const int input_outer, const int input_inner, const int output_outer,
    const int output_inner, PAST_ARGUMENTS)
{
	SHARED R room[GROUP];
	const int s = LOCAL_ID % STATES, i = GROUP_ID * CHANNELS + LOCAL_ID / STATES;
	const int mine = GROUP_ID < groups && LOCAL_ID < CHANNELS * STATES && i < count;
	const int c = i % channels, b = i / channels, past = PAST;
	const long at = (long)i * STATES + s;
	R state = 0, rate = 0, shift = 0;

	PLACE(out);
	PLACE(x);
	PLACE(delta);
	PLACE(decay);
	PLACE(input);
	PLACE(output);
	PLACE(skip);
	PLACE(bias);
	PLACE(h);
	if (mine) {
		state = past ? LOAD_U(h, at) : 0;
		rate = -exp(LOAD(decay, c * STATES + s));
		shift = LOAD(bias, c);
	}
	for (int t = 0; t < IF_MINE(groups, tokens); t++) {
		R value = 0;

		if (mine) {
			const R step =
			    act(LOAD(delta, b * delta_outer + t * delta_inner + c) + shift, 8);
			const R in = LOAD(input, b * input_outer + t * input_inner + s);

			value = LOAD(x, b * x_outer + t * x_inner + c);
			state = exp(rate * step) * state + step * in * value;
			room[LOCAL_ID] =
			    state * LOAD(output, b * output_outer + t * output_inner + s);
		}
		BARRIER;
		for (int by = 1; by < STATES; by *= 2) {
			if (mine && s % (2 * by) == 0 && s + by < STATES)
				room[LOCAL_ID] += room[LOCAL_ID + by];
			BARRIER;
		}
		if (mine && s == 0)
			STORE(out, b * out_outer + t * out_inner + c,
			    LOAD(skip, c) * value + room[LOCAL_ID]);
	}
	if (mine)
		STORE_U(h, at, state);
}
