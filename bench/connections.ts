import { readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { mapInBatches } from '../test/support/map-in-batches.ts';
import { percentile, roundTo, type Figure } from './support/figure.ts';
import { readApiMegabytes, call, type Installation } from './support/installation.ts';

const VISITORS = 10_000;
const TEAM = 500;
const AT_ONCE = 100;
const REPLIES = 50;
const REPLY_LIMIT_MS = 100;
/** Number of open files that the API process and the bench each need in addition to the event streams. */
const SPARE_FILES = 500;

interface Visitor {
  session_id: string;
  visitor_token: string;
}

/** An open event stream with a callback for each event. */
interface Stream {
  response: IncomingMessage;
  onEvent: (text: string) => void;
}

/** Measures event streams of visitors and team members that all stay open at one process of the API. */
export async function benchConnections(installation: Installation): Promise<Figure[]> {
  const bot = await call<{ id: string; public_key: string }>(installation, 'POST', '/api/bots', {
    name: 'Bench',
    handoff_enabled: true,
  });
  await call(installation, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
  const count = Math.min(VISITORS, readOpenFilesLimit() - TEAM - SPARE_FILES);
  const visitors = await mapInBatches(Array.from({ length: count }), AT_ONCE, () =>
    call<Visitor>(installation, 'POST', `/api/public/bots/${bot.public_key}/sessions`, {}),
  );
  const agent = new Agent({ keepAlive: false });
  const before = readApiMegabytes(installation) ?? NaN;
  const startedAt = performance.now();
  const streams = await mapInBatches(visitors, AT_ONCE, (visitor) =>
    open(installation, agent, `/api/public/sessions/${visitor.session_id}/events`, visitor.visitor_token),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const withVisitors = readApiMegabytes(installation) ?? NaN;
  const replies = await measureReplies(installation, visitors, streams);
  await requestPerson(installation, visitors[0]!);
  const team = await mapInBatches(Array.from({ length: TEAM }), AT_ONCE, () =>
    open(installation, agent, '/api/inbox/stream', installation.apiKey),
  );
  const withTeam = readApiMegabytes(installation) ?? NaN;
  for (const { response } of [...streams, ...team]) response.destroy();
  const p95 = percentile(replies, 0.95);
  return [
    buildConnectionFigure('visitors’ streams open at once', streams.length, ''),
    buildConnectionFigure('memory of the API without them', before, 'MB'),
    buildConnectionFigure('memory of the API with them', withVisitors, 'MB'),
    buildConnectionFigure('memory for each', ((withVisitors - before) * 1024) / streams.length, 'kB'),
    buildConnectionFigure('opened a second', streams.length / seconds, '1/s'),
    {
      ...buildConnectionFigure('a reply of the team until its visitor has it, p95', p95, 'ms'),
      target: `≤ ${REPLY_LIMIT_MS} ms`,
      ok: p95 <= REPLY_LIMIT_MS,
    },
    buildConnectionFigure(
      'memory for each stream of the team',
      ((withTeam - withVisitors) * 1024) / team.length,
      'kB',
    ),
  ];
}

function buildConnectionFigure(name: string, value: number, unit: string): Figure {
  return { bench: 'connections', figure: name, value: roundTo(value, 1), unit };
}

/** Opens an event stream; resolves with the stream after its first event. */
function open({ apiUrl }: Installation, agent: Agent, path: string, token: string): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(apiUrl + path, { agent, headers: { authorization: `Bearer ${token}` } });
    clientRequest.once('error', reject);
    clientRequest.once('response', (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`A stream was refused: ${response.statusCode}`));
      const stream: Stream = { response, onEvent: () => resolve(stream) };
      response.on('data', (bytes: Buffer) => stream.onEvent(bytes.toString()));
      response.once('error', () => undefined);
    });
    clientRequest.end();
  });
}

/** Measures the milliseconds from a team member's reply to its arrival on the visitor's event stream. */
async function measureReplies(
  installation: Installation,
  visitors: Visitor[],
  streams: Stream[],
): Promise<number[]> {
  const times: number[] = [];
  for (let each = 0; each < REPLIES; each += 1) {
    const at = Math.floor((each * visitors.length) / REPLIES);
    const path = `/api/inbox/${visitors[at]!.session_id}`;
    await call(installation, 'POST', `${path}/claim`);
    const startedAt = performance.now();
    const arrived = new Promise<void>((resolve) => {
      streams[at]!.onEvent = (text) => {
        if (text.includes('Good day!')) resolve();
      };
    });
    await call(installation, 'POST', `${path}/reply`, { content: 'Good day!' });
    await arrived;
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Requests a conversation with a team member for a visitor, so that the inbox's event streams begin with an event. */
async function requestPerson(
  { apiUrl }: Installation,
  { session_id, visitor_token }: Visitor,
): Promise<void> {
  const response = await fetch(`${apiUrl}/api/public/sessions/${session_id}/handoff`, {
    method: 'POST',
    headers: { authorization: `Bearer ${visitor_token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw new Error(`The handoff was refused: ${response.status}`);
}

/**
 * Returns the number of open files, and thus connections, that a process may have. Node raises its soft limit
 * to this hard limit.
 */
function readOpenFilesLimit(): number {
  try {
    const [, limit] = /Max open files\s+\S+\s+(\S+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(limit) || Infinity;
  } catch {
    return Infinity;
  }
}
