/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of formats; see convert.h.
 */
#include "convert/convert.h"
#include "convert/from.h"
#include "convert/to.h"
#include "text/near_name.h"

/* The order is that in which formats are recognized. */
const struct format *const formats_known[] = {
	&format_table,
	&format_csv,
	&format_json,
	&format_json_lines,
	&format_hyperfine,
	&format_hyperfine_csv,
	&format_gbench,
	&format_nvbench,
	&format_pytest,
	&format_pyperf,
	&format_asv,
	&format_criterion,
	&format_criterion_csv,
	&format_llama,
	&format_llama_lines,
	&format_llama_csv,
	&format_llama_sql,
	&format_llama_table,
	&format_onnxruntime,
	&format_pytorch,
	&format_vllm,
	&format_sglang,
	&format_sysstat,
	&format_sadf,
	&format_sysstat_text,
	&format_iostat,
	&format_vmstat,
	&format_perf_json,
	&format_perf,
	&format_go_json,
	&format_go,
	&format_libtest,
	&format_criterion_console,
	&format_gbench_console,
	&format_wrk,
	&format_ab,
	&format_ab_csv,
	&format_ab_gnuplot,
	&format_stress_ng,
	&format_stress_ng_yaml,
	&format_stream,
	&format_osu,
	&format_nccl_tests,
	&format_nccl_tests_console,
	&format_hpl,
	&format_hpcg,
	&format_perf_bench,
	&format_likwid_bench,
	&format_sockperf,
	&format_sysbench,
	&format_pgbench,
	&format_pgbench_log,
	&format_loadgen,
	&format_hgrm,
	&format_catch2,
	&format_callgrind,
	&format_cachegrind,
	&format_massif,
	&format_memray_csv,
	&format_gcc_time,
	&format_ninja_log,
	&format_time,
	&format_perf_console,
	&format_perf_script,
	&format_pprof,
	&format_folded,
	&format_github_smaller,
	&format_github_bigger,
	&format_github_history,
	&format_github_history_json,
	&format_bencher,
	&format_prometheus,
	&format_markdown,
	&format_asciidoc,
	&format_org,
	&format_asv_benchmarks,
	&format_openmetrics,
	&format_otlp,
};
const size_t formats_count = COUNT(formats_known);

bool format_reads(const struct format *format)
{
	return format->read || format->copy;
}

bool format_writes(const struct format *format)
{
	return format->writer || format->write || format->write_samples;
}

void formats_names(struct known_names *k, bool writes)
{
	for (size_t i = 0; i < formats_count; i++)
		if (writes ? format_writes(formats_known[i])
		           : format_reads(formats_known[i]))
			known_names_add(k, text_of(formats_known[i]->name));
}
