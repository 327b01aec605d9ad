-- SPDX-License-Identifier: GPL-3.0-or-later
-- The database of bench-store(1), for SQLite.
--
-- A line "-- version N" begins the statements that upgrade a database from version N - 1 to N.
-- A new database runs all of them. PRAGMA user_version is the version, and PRAGMA
-- application_id is 0x626e6368, "bnch". Never edit the statements of a released version: append
-- the next version. Comments inside a statement become a part of each database, so write them
-- before the statement.
--
-- Texts are as in bench-csv(5). An empty field is ''. A missing number is NULL. Times that are
-- compared are in RFC 3339 format, in UTC and with nine fractional digits, so that they sort as
-- texts. The column commit of bench-csv(5) is named commit_id, because COMMIT is an SQL keyword.

-- version 1

-- A run: one invocation of bench-run or another producer, or a table without a run. host, env
-- and commit_id are the values of its first series, time is the time of its first sample, and
-- added is the time when it was first added.
CREATE TABLE benchmark_runs (
	run_id INTEGER PRIMARY KEY,
	run TEXT NOT NULL UNIQUE,
	time TEXT,
	added TEXT NOT NULL,
	host TEXT NOT NULL,
	env TEXT NOT NULL,
	commit_id TEXT NOT NULL
);

-- A series: all samples of one metric of one subject in one run. factors is a JSON object of
-- texts, sorted by name: factors ->> 'n' is the column n of the stream. The statistics are
-- computed as by bench-stat(1): without warm-ups and failed samples, from the mean of each
-- sample of a time series. ci_lo and ci_hi are the 95% confidence interval of the median.
-- row_count counts all rows, including warm-ups and failed samples.
CREATE TABLE benchmark_results (
	result_id INTEGER PRIMARY KEY,
	run_id INTEGER NOT NULL REFERENCES benchmark_runs ON DELETE CASCADE,
	host TEXT NOT NULL,
	env TEXT NOT NULL,
	commit_id TEXT NOT NULL,
	kind TEXT NOT NULL,
	bench TEXT NOT NULL,
	factors TEXT NOT NULL,
	metric TEXT NOT NULL,
	unit TEXT NOT NULL,
	row_count INTEGER NOT NULL,
	n INTEGER NOT NULL,
	failed INTEGER NOT NULL,
	mean REAL,
	sd REAL,
	min REAL,
	p5 REAL,
	median REAL,
	p95 REAL,
	max REAL,
	mad REAL,
	ci_lo REAL,
	ci_hi REAL,
	UNIQUE (run_id, bench, metric, factors, kind, unit)
);
CREATE INDEX benchmark_results_by_bench ON benchmark_results (bench, metric);

-- The samples of a series, sorted by process, sample and t, up to 4096 in a chunk. The bytes are
-- described in lib/store/pack.h and in bench-store(5); bench-store export writes them as rows.
-- The chunks of a series are numbered 0, 1, 2 ...
CREATE TABLE raw_benchmark_data (
	raw_id INTEGER PRIMARY KEY,
	result_id INTEGER NOT NULL REFERENCES benchmark_results ON DELETE CASCADE,
	chunk INTEGER NOT NULL,
	row_count INTEGER NOT NULL,
	data BLOB NOT NULL,
	UNIQUE (result_id, chunk)
);

-- The newest facts of machines, from bench-env(1).
CREATE TABLE hardware_info (
	env TEXT NOT NULL,
	fact TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (env, fact)
) WITHOUT ROWID;

CREATE TABLE run_tags (
	tag TEXT NOT NULL,
	run_id INTEGER NOT NULL REFERENCES benchmark_runs ON DELETE CASCADE,
	PRIMARY KEY (tag, run_id)
) WITHOUT ROWID;
CREATE INDEX run_tags_by_run ON run_tags (run_id);

-- Every series with its run, for --where and most queries. at is the time of the run or, if its
-- rows have no time, the time of addition.
CREATE VIEW benchmark_history AS
SELECT run, time, added, coalesce(time, added) AS at, s.*
FROM benchmark_results AS s JOIN benchmark_runs USING (run_id);

-- version 2

-- checksum: a sum over the rows of the run, described in bench-store(5), in 32 hexadecimal
-- digits; NULL for a run of version 1.
ALTER TABLE benchmark_runs ADD COLUMN checksum TEXT;
CREATE INDEX benchmark_runs_by_at ON benchmark_runs (coalesce(time, added), run_id);

-- The newest run of every subject and metric on every host.
CREATE VIEW benchmark_latest AS
SELECT * FROM (
	SELECT h.*, row_number() OVER (PARTITION BY host, kind, bench, factors, metric, unit
		ORDER BY at DESC, run_id DESC) AS newness
	FROM benchmark_history AS h) AS ranked
WHERE newness = 1;

-- The newest runs of each subject on every machine, side by side. ratio is the median divided
-- by the least median of the subject.
CREATE VIEW hardware_comparison AS
SELECT kind, bench, factors, metric, unit, host, env,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'cpu_model') AS cpu_model,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'cpu_cores') AS cpu_cores,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'memory_bytes') AS memory_bytes,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'arch') AS arch,
	at, run, commit_id, n, median, ci_lo, ci_hi,
	median / nullif(min(median) OVER (PARTITION BY kind, bench, factors, metric, unit), 0) AS ratio
FROM (
	SELECT h.*, row_number() OVER (PARTITION BY host, env, kind, bench, factors, metric, unit
		ORDER BY at DESC, run_id DESC) AS newness
	FROM benchmark_history AS h) AS m
WHERE newness = 1;

-- The throughput of each type of architecture (vision, encoder, decoder ...) in its newest runs,
-- by backend, type of device, data type, host and unit: the number of models and series, and the
-- least, mean and greatest median.
CREATE VIEW architecture_throughput AS
SELECT factors ->> 'arch' AS architecture, factors ->> 'backend' AS backend,
	factors ->> 'device_type' AS device_type, factors ->> 'dtype' AS dtype, host, unit,
	count(DISTINCT bench) AS models, count(*) AS series,
	min(median) AS slowest, avg(median) AS mean, max(median) AS fastest
FROM benchmark_latest
WHERE metric = 'throughput' AND factors ->> 'arch' IS NOT NULL AND median IS NOT NULL
GROUP BY factors ->> 'arch', factors ->> 'backend', factors ->> 'device_type',
	factors ->> 'dtype', host, unit;

-- version 3

DROP VIEW architecture_throughput;
DROP VIEW hardware_comparison;
DROP VIEW benchmark_latest;
DROP VIEW benchmark_history;

-- row_count: the number of rows of the run in the database. expected_rows: the number that the
-- end mark of the run states (see bench-csv(5)), or NULL if no end mark was added. ended: the
-- time of the end mark, as written there. seal: see bench-store(5); NULL for a run of an older
-- version that is not sealed yet.
ALTER TABLE benchmark_runs ADD COLUMN row_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE benchmark_runs ADD COLUMN expected_rows INTEGER;
ALTER TABLE benchmark_runs ADD COLUMN ended TEXT;
ALTER TABLE benchmark_runs ADD COLUMN seal TEXT;
UPDATE benchmark_runs SET row_count = (SELECT coalesce(sum(s.row_count), 0)
	FROM benchmark_results AS s WHERE s.run_id = benchmark_runs.run_id);

-- n_censored: the number of failed samples that are timeouts. All of these columns are NULL in a
-- series of an older version until rows are added to the series or check --seal computes them.
ALTER TABLE benchmark_results ADD COLUMN n_censored INTEGER;
ALTER TABLE benchmark_results ADD COLUMN p90 REAL;
ALTER TABLE benchmark_results ADD COLUMN p99 REAL;
ALTER TABLE benchmark_results ADD COLUMN p999 REAL;
ALTER TABLE benchmark_results ADD COLUMN p9999 REAL;

-- The facts of the machine when a run was measured; the view run_facts shows them. Most facts
-- are the same in every run. A run therefore refers to a set of facts, which several runs may
-- share, and has its own rows only for facts that differ from the set. hardware_info has the
-- newest value of every fact.
CREATE TABLE fact_sets (
	set_id INTEGER PRIMARY KEY,
	env TEXT NOT NULL
);
CREATE INDEX fact_sets_by_env ON fact_sets (env);

CREATE TABLE fact_set_values (
	set_id INTEGER NOT NULL REFERENCES fact_sets ON DELETE CASCADE,
	fact TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (set_id, fact)
) WITHOUT ROWID;

CREATE TABLE run_fact_sets (
	run_id INTEGER NOT NULL REFERENCES benchmark_runs ON DELETE CASCADE,
	set_id INTEGER NOT NULL REFERENCES fact_sets,
	PRIMARY KEY (run_id, set_id)
) WITHOUT ROWID;

-- A value of NULL means that the run lacks this fact of the set.
CREATE TABLE run_fact_changes (
	run_id INTEGER NOT NULL REFERENCES benchmark_runs ON DELETE CASCADE,
	set_id INTEGER NOT NULL REFERENCES fact_sets,
	fact TEXT NOT NULL,
	value TEXT,
	PRIMARY KEY (run_id, set_id, fact)
) WITHOUT ROWID;

CREATE VIEW run_facts AS
SELECT r.run_id, s.env, v.fact, v.value
FROM run_fact_sets AS r JOIN fact_sets AS s ON s.set_id = r.set_id
	JOIN fact_set_values AS v ON v.set_id = r.set_id
WHERE NOT EXISTS (SELECT 1 FROM run_fact_changes AS c
	WHERE c.run_id = r.run_id AND c.set_id = r.set_id AND c.fact = v.fact)
UNION ALL
SELECT c.run_id, s.env, c.fact, c.value
FROM run_fact_changes AS c JOIN fact_sets AS s ON s.set_id = c.set_id
WHERE c.value IS NOT NULL;

-- Annotations of a run or, if run_id is NULL, of a moment. host and bench are the host and the
-- benchmark that the moment concerns, where '' means all. at is the moment, or NULL for a run.
CREATE TABLE annotations (
	annotation_id INTEGER PRIMARY KEY,
	run_id INTEGER REFERENCES benchmark_runs ON DELETE CASCADE,
	at TEXT,
	host TEXT NOT NULL,
	bench TEXT NOT NULL,
	text TEXT NOT NULL,
	author TEXT NOT NULL,
	added TEXT NOT NULL
);
CREATE INDEX annotations_by_run ON annotations (run_id);

-- The sum of the seals of all runs, and the seals of other tables; see bench-store(5). An upgraded
-- database is unsealed at first. The parts are annotations, facts, runs and tags.
CREATE TABLE store_seal (
	part TEXT PRIMARY KEY,
	state TEXT NOT NULL CHECK (state IN ('sealed', 'unsealed')),
	seal TEXT
) WITHOUT ROWID;
INSERT INTO store_seal (part, state, seal) VALUES
	('annotations', 'sealed', '00000000000000000000000000000000'),
	('facts', 'sealed', '00000000000000000000000000000000'),
	('runs', 'sealed', '00000000000000000000000000000000'),
	('tags', 'sealed', '00000000000000000000000000000000');
UPDATE store_seal SET state = 'unsealed', seal = NULL
WHERE EXISTS (SELECT 1 FROM benchmark_runs) OR EXISTS (SELECT 1 FROM hardware_info);

-- Every series with its run, for --where and most queries. at is the time of the run or, if its
-- rows have no time, the time of addition. completeness: whether the database has all rows of the
-- run.
CREATE VIEW benchmark_history AS
SELECT r.run, r.time, r.added, coalesce(r.time, r.added) AS at, s.*,
	CASE WHEN r.expected_rows IS NULL THEN 'unknown'
		WHEN r.row_count < r.expected_rows THEN 'incomplete'
		ELSE 'complete' END AS completeness
FROM benchmark_results AS s JOIN benchmark_runs AS r ON r.run_id = s.run_id;

-- The newest run of every subject and metric on every host.
CREATE VIEW benchmark_latest AS
SELECT * FROM (
	SELECT h.*, row_number() OVER (PARTITION BY host, kind, bench, factors, metric, unit
		ORDER BY at DESC, run_id DESC) AS newness
	FROM benchmark_history AS h) AS ranked
WHERE newness = 1;

-- The newest runs of each subject on every machine, side by side. ratio is the median divided
-- by the least median of the subject.
CREATE VIEW hardware_comparison AS
SELECT kind, bench, factors, metric, unit, host, env,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'cpu_model') AS cpu_model,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'cpu_cores') AS cpu_cores,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'memory_bytes') AS memory_bytes,
	(SELECT value FROM hardware_info AS i WHERE i.env = m.env AND fact = 'arch') AS arch,
	at, run, commit_id, n, median, ci_lo, ci_hi,
	median / nullif(min(median) OVER (PARTITION BY kind, bench, factors, metric, unit), 0) AS ratio
FROM (
	SELECT h.*, row_number() OVER (PARTITION BY host, env, kind, bench, factors, metric, unit
		ORDER BY at DESC, run_id DESC) AS newness
	FROM benchmark_history AS h) AS m
WHERE newness = 1;

-- The throughput of each type of architecture (vision, encoder, decoder ...) in its newest runs,
-- by backend, type of device, data type, host and unit: the number of models and series, and the
-- least, mean and greatest median.
CREATE VIEW architecture_throughput AS
SELECT factors ->> 'arch' AS architecture, factors ->> 'backend' AS backend,
	factors ->> 'device_type' AS device_type, factors ->> 'dtype' AS dtype, host, unit,
	count(DISTINCT bench) AS models, count(*) AS series,
	min(median) AS slowest, avg(median) AS mean, max(median) AS fastest
FROM benchmark_latest
WHERE metric = 'throughput' AND factors ->> 'arch' IS NOT NULL AND median IS NOT NULL
GROUP BY factors ->> 'arch', factors ->> 'backend', factors ->> 'device_type',
	factors ->> 'dtype', host, unit;
