import assert from 'node:assert/strict';

type Labels = Record<string, string>;

export interface Sample {
  name: string;
  labels: Labels;
  value: number;
}

export interface Exposition {
  samples: Sample[];
  types: Map<string, string>;
  /** Names of the metrics that have a description. */
  described: Set<string>;
  /** Returns the value of a metric with exactly these labels. */
  value(name: string, labels?: Labels): number | undefined;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?[\d.e+-]+|NaN|[+-]Inf)$/i;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g;

/**
 * Parses metrics in Prometheus' text format.
 * @throws AssertionError on anything else
 */
function parseExposition(text: string): Exposition {
  assert.ok(text.endsWith('\n'));
  const types = new Map<string, string>();
  const described = new Set<string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line);
    const help = /^# HELP (\S+) \S/.exec(line);
    if (type) types.set(type[1]!, type[2]!);
    else if (help) described.add(help[1]!);
    else samples.push(parseSample(line));
  }
  for (const { name } of samples) {
    const family = name.replace(/_(bucket|sum|count)$/, '');
    assert.ok(types.has(name) || types.has(family), `${name} has no type`);
  }
  return {
    samples,
    types,
    described,
    value: (name, labels = {}) =>
      samples.find((sample) => sample.name === name && hasSameLabels(sample.labels, labels))?.value,
  };
}

function parseSample(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? assert.fail(`not a sample: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(([, key, text]) => [key!, text!] as const);
  return { name: name!, labels: Object.fromEntries(pairs), value: Number(value) };
}

function hasSameLabels(some: Labels, others: Labels): boolean {
  const keys = Object.keys(some);
  return keys.length === Object.keys(others).length && keys.every((key) => some[key] === others[key]);
}

const NOT_BASE_UNIT =
  /_(ms|milliseconds|us|microseconds|minutes|hours|days|kb|mb|kilobytes|megabytes|percent)(_|$)/;
/** Matches parts of values that could give a label any number of values: ids, addresses and URLs. */
const UNBOUNDED = /[0-9a-f]{8}-[0-9a-f]{4}|@|\/\/|\d{1,3}\.\d{1,3}\.\d{1,3}\./;

/**
 * Returns the metrics that break Prometheus' conventions: a description for each, base units, `_total` at the end of counters only, and labels with few values.
 */
export function findMisnamedMetrics({ samples, types, described }: Exposition): string[] {
  const metrics = [...types].filter(
    ([name, type]) =>
      !described.has(name) ||
      NOT_BASE_UNIT.test(name) ||
      name.endsWith('_total') !== (type === 'counter') ||
      !/^[a-z][a-z0-9_]*$/.test(name),
  );
  const labeled = samples.filter(({ labels }) =>
    Object.values(labels).some((value) => UNBOUNDED.test(value)),
  );
  return [...metrics.map(([name]) => name), ...labeled.map(({ name }) => name)];
}

/** Reads the current metrics from a port of this machine. */
export async function scrape(port: number): Promise<Exposition> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return parseExposition(await response.text());
}
