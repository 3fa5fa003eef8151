import assert from 'node:assert/strict';

type Labels = Record<string, string>;

interface Sample {
  name: string;
  labels: Labels;
  value: number;
}

export interface Exposition {
  samples: Sample[];
  types: Map<string, string>;
  /** Returns the value with exactly these labels. */
  value(name: string, labels?: Labels): number | undefined;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?[\d.e+-]+|NaN|[+-]Inf)$/i;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g;

/**
 * Parses Prometheus' text format.
 * @throws AssertionError on anything else
 */
function parseExposition(text: string): Exposition {
  assert.ok(text.endsWith('\n'));
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line);
    if (type) types.set(type[1]!, type[2]!);
    else if (!/^# HELP \S+ \S/.test(line)) samples.push(parseSample(line));
  }
  for (const { name } of samples) {
    const family = name.replace(/_(bucket|sum|count)$/, '');
    assert.ok(types.has(name) || types.has(family), `${name} has no type`);
  }
  return {
    samples,
    types,
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

/** Reads the current metrics of a port. */
export async function scrape(port: number): Promise<Exposition> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return parseExposition(await response.text());
}
