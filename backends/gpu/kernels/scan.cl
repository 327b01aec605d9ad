/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mamba's selective scan of many tokens; its arguments are those of the scan in sequence.cl. A group
 * has `lines` channels of one sample, and `chunks` parts of the tokens. The states after each part are
 * computed as if they were 0 before it; the states before it follow from those, and from the decay
 * over the time of each earlier part.
 */
struct scan_room {
	R state[GROUP][STATES], time[GROUP];
};

KERNEL scan_chunks(const int groups, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, delta),
    IN(T_TYPE, decay), IN(T_TYPE, input), IN(T_TYPE, output), IN(T_TYPE, skip), IN(T_TYPE, bias),
    OUT(U_TYPE, h), const int chunks, const int channels, const int tokens, const int out_outer,
    const int out_inner, const int x_outer, const int x_inner, const int delta_outer,
    const int delta_inner, const int input_outer, const int input_inner, const int output_outer,
    const int output_inner, PAST_ARGUMENTS)
{
	SHARED struct scan_room room;
	const int lines = GROUP / chunks;
	const int parts = (channels + lines - 1) / lines, b = GROUP_ID / parts;
	const int line = LOCAL_ID % lines, chunk = LOCAL_ID / lines;
	const int first = GROUP_ID % parts * lines, c = first + line;
	const int each = (IF_MINE(groups, tokens) + chunks - 1) / chunks;
	const int from = chunk * each;
	const int to = c >= channels ? from : from + each < tokens ? from + each : tokens;
	R state[STATES], rate[STATES], time = 0;

	PLACE(out);
	PLACE(x);
	PLACE(delta);
	PLACE(decay);
	PLACE(input);
	PLACE(output);
	PLACE(skip);
	PLACE(bias);
	PLACE(h);
	for (int s = 0; s < STATES; s++) {
		state[s] = 0;
		rate[s] = from < to ? -exp(LOAD(decay, c * STATES + s)) : 0;
	}
	const R shift = from < to ? LOAD(bias, c) : 0, through = from < to ? LOAD(skip, c) : 0;

	for (int t = from; t < to; t++) {
		const R value = LOAD(x, b * x_outer + t * x_inner + c);
		const R step =
		    act(LOAD(delta, b * delta_outer + t * delta_inner + c) + shift, 8);

		time += step;
		for (int s = 0; s < STATES; s++) {
			const R in = LOAD(input, b * input_outer + t * input_inner + s);

			state[s] = exp(rate[s] * step) * state[s] + step * in * value;
		}
	}
	room.time[LOCAL_ID] = time;
	for (int s = 0; s < STATES; s++)
		room.state[LOCAL_ID][s] = state[s];
	BARRIER;
	for (int e = LOCAL_ID; each > 0 && e < lines * STATES; e += GROUP) {
		const int l = e / STATES, s = e % STATES;

		if (first + l >= channels)
			continue;
		const long at = ((long)b * channels + first + l) * STATES + s;
		const R slope = -exp(LOAD(decay, (first + l) * STATES + s));
		R before = PAST ? LOAD_U(h, at) : 0;

		for (int k = 0; k < chunks; k++) {
			const R added = room.state[k * lines + l][s];

			room.state[k * lines + l][s] = before;
			before = exp(slope * room.time[k * lines + l]) * before + added;
		}
		STORE_U(h, at, before);
	}
	BARRIER;
	for (int s = 0; s < STATES; s++)
		state[s] = room.state[LOCAL_ID][s];
	for (int t = from; t < to; t++) {
		const R value = LOAD(x, b * x_outer + t * x_inner + c);
		const R step =
		    act(LOAD(delta, b * delta_outer + t * delta_inner + c) + shift, 8);
		R sum = through * value;

		for (int s = 0; s < STATES; s++) {
			const R in = LOAD(input, b * input_outer + t * input_inner + s);

			state[s] = exp(rate[s] * step) * state[s] + step * in * value;
			sum +=
			    state[s] * LOAD(output, b * output_outer + t * output_inner + s);
		}
		STORE(out, b * out_outer + t * out_inner + c, sum);
	}
}
