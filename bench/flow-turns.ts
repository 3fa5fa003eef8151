import type { FlowGraph } from '../core/flows/flow-graph.ts';
import { percentile, roundTo, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';
import { startPeer } from './support/peer.ts';

const ROUNDS = 4;
const TURNS = 100;
const WARM_UP = 20;
const MAX_RATIO_TO_PLAIN = 1.15;

/** A flow that asks the same question forever and stores each answer. */
const ENDLESS: FlowGraph = {
  version: 1,
  nodes: [
    { id: 'start', type: 'start', data: {} },
    {
      id: 'ask',
      type: 'question',
      data: { text: 'And in {{vars.city|which city}}?', input: 'text', variable: 'city' },
    },
  ],
  edges: [
    { source: 'start', target: 'ask' },
    { source: 'ask', target: 'ask' },
  ],
};

/**
 * Compares the times of conversation turns with a bot with a flow, a bot without flows, and a bot whose flow
 * does not start. The stand-in for a language model answers at once.
 */
export async function benchFlowTurns(): Promise<Figure[]> {
  const model = await startPeer('model-process.ts');
  const installation = await startInstallation({ PARLEY_MODEL_BASE_URL: model.line });
  try {
    const times = { plain: [] as number[], flow: [] as number[], inactive: [] as number[] };
    const visitors = {
      plain: await createFlowVisitor(installation),
      flow: await createFlowVisitor(installation, 'first_message'),
      inactive: await createFlowVisitor(installation, 'keyword:nobody says this'),
    };
    const kinds = ['plain', 'flow', 'inactive'] as const;
    for (let turn = 0; turn < WARM_UP + ROUNDS * TURNS; turn += 1)
      for (const [at] of kinds.entries()) {
        const kind = kinds[(at + turn) % kinds.length]!;
        const ms = await say(installation, visitors[kind]);
        if (turn >= WARM_UP) times[kind].push(ms);
      }
    return toTurnFigures(times);
  } finally {
    await installation.stop();
    model.stop();
  }
}

function toTurnFigures(times: Record<'plain' | 'flow' | 'inactive', number[]>): Figure[] {
  const [plain, flow, inactive] = [times.plain, times.flow, times.inactive].map((all) =>
    percentile(all, 0.95),
  ) as [number, number, number];
  return [
    {
      bench: 'flows',
      figure: 'a turn of a flow, p95, against one of a bot without',
      value: roundTo(flow / plain),
      unit: '×',
      target: `≤ ${MAX_RATIO_TO_PLAIN}`,
      note: `${roundTo(flow)} ms against ${roundTo(plain)} ms; of a bot whose flow does not begin: ${roundTo(inactive)} ms`,
      ok: flow <= MAX_RATIO_TO_PLAIN * plain,
    },
  ];
}

interface Visitor {
  sessionId: string;
  token: string;
}

/** Starts a visitor's session with a new bot. */
async function createFlowVisitor(installation: Installation, trigger?: string): Promise<Visitor> {
  const bot = await call<{ id: string; public_key: string }>(installation, 'POST', '/api/bots', {
    name: 'Bench',
    rate_limit_per_minute: 1000,
  });
  await call(installation, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
  if (trigger !== undefined) {
    const flow = { bot_id: bot.id, name: 'Ask', graph: ENDLESS, trigger };
    const { id } = await call<{ id: string }>(installation, 'POST', '/api/flows', flow);
    await call(installation, 'POST', `/api/flows/${id}/activate`);
  }
  const session = await call<{ session_id: string; visitor_token: string }>(
    installation,
    'POST',
    `/api/public/bots/${bot.public_key}/sessions`,
    {},
  );
  return { sessionId: session.session_id, token: session.visitor_token };
}

async function say({ apiUrl }: Installation, { sessionId, token }: Visitor): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${apiUrl}/api/public/sessions/${sessionId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'Lisbon, in the south of Portugal' }),
  });
  await response.text();
  if (response.status !== 201) throw new Error(`A turn returned ${response.status}.`);
  return performance.now() - startedAt;
}
