import type { FlowGraph } from '../core/flows/flow-graph.ts';
import { listGraphErrors, listRunErrors } from '../core/flows/validate-graph.ts';
import { benchFlowTurns } from './flow-turns.ts';
import { median, percentile, roundTo, type Figure } from './support/figure.ts';

const WARM_UP = 20;
const RUNS = 300;
const MAX_P50_MS = 10;

/**
 * Measures the time to validate a conversation flow of a hundred nodes, as Parley does when it saves or
 * activates a flow. Measures also the time of a flow's turn.
 */
export async function benchFlows(): Promise<Figure[]> {
  return [...benchValidation(), ...(await benchFlowTurns())];
}

function benchValidation(): Figure[] {
  const graph = buildFullGraph();
  const times = Array.from({ length: WARM_UP + RUNS }, () => {
    const startedAt = performance.now();
    const faults = [
      ...listGraphErrors(graph),
      ...listRunErrors(graph, { enabledFeatures: new Set(), flowIds: new Set() }),
    ];
    if (faults.length > 0) throw new Error(faults[0]!.message);
    return performance.now() - startedAt;
  });
  const p50 = median(times.slice(WARM_UP));
  const p95 = percentile(times.slice(WARM_UP), 0.95);
  return [
    {
      bench: 'flows',
      figure: 'checking a graph of 100 nodes and 99 edges, p50',
      value: roundTo(p50),
      unit: 'ms',
      target: `≤ ${MAX_P50_MS} ms`,
      note: `p95: ${roundTo(p95)} ms; the first, which compiles the schemas: ${roundTo(times[0]!)} ms`,
      ok: p50 <= MAX_P50_MS,
    },
  ];
}

function buildFullGraph(): FlowGraph {
  const kinds = [
    { type: 'message' as const, data: { text: 'Hello {{contact.name|there}}, in {{vars.city}}.' } },
    {
      type: 'question' as const,
      data: { text: 'Which city?', input: 'text', variable: 'city', min: 2, max: 80 },
    },
    {
      type: 'set' as const,
      data: { assignments: [{ variable: 'asked', op: 'add', value: 1 }] },
    },
  ];
  const nodes = Array.from({ length: 98 }, (_, at) => ({ id: `n${at}`, ...kinds[at % kinds.length]! }));
  const ids = ['start', ...nodes.map(({ id }) => id), 'end'];
  return {
    version: 1,
    nodes: [{ id: 'start', type: 'start', data: {} }, ...nodes, { id: 'end', type: 'end', data: {} }],
    edges: ids.slice(1).map((target, at) => ({ source: ids[at]!, target })),
  };
}
