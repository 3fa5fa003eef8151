import type { ApiClient } from '../support/api-client.ts';
import { mapInBatches } from '../support/map-in-batches.ts';

export interface Visitor {
  id: string;
  token: string;
  path: `/api/public/sessions/${string}`;
}

export interface RandomChanges {
  count: number;
  atOnce: number;
  visitors: readonly Visitor[];
  /** Functions that each create a client, by its token, of one API process. */
  processes: readonly ((token: string) => ApiClient)[];
  /** API key of the team. */
  key: string;
  /** Runs after some of the random changes. */
  meanwhile?(): Promise<unknown>;
}

const SEED = 20_261_121;

export async function beginSession(client: ApiClient, publicKey: string): Promise<Visitor> {
  const { body } = await client.post(`/api/public/bots/${publicKey}/sessions`, {});
  return { id: body.session_id, token: body.visitor_token, path: `/api/public/sessions/${body.session_id}` };
}

/**
 * Applies random changes from a fixed seed, of all kinds that analytics counts. The API refuses those that do
 * not fit a conversation's state.
 */
export async function changeAtRandom(changes: RandomChanges): Promise<void> {
  const { count, atOnce, visitors, processes, key, meanwhile } = changes;
  const random = randomNumbers(SEED);
  const all = Array.from({ length: count }, () => ({
    visitor: visitors[random(visitors.length)]!,
    createClient: processes[random(processes.length)]!,
    kind: random(KINDS.length),
    stars: 1 + random(5),
  }));
  await mapInBatches(all, atOnce, async ({ visitor, createClient, kind, stars }) => {
    await KINDS[kind]!({ ...visitor, stars, visitor: createClient(visitor.token), team: createClient(key) });
    if (kind === 0) await meanwhile?.();
  });
}

type Change = Pick<Visitor, 'id' | 'path'> & { visitor: ApiClient; team: ApiClient; stars: number };

const KINDS: readonly ((change: Change) => Promise<unknown>)[] = [
  ({ visitor, path }) => visitor.post(`${path}/messages`, { content: 'And then?' }),
  ({ visitor, path }) => visitor.post(`${path}/messages`, { content: 'Is it open?' }),
  ({ visitor, path }) => visitor.post(`${path}/end`),
  ({ visitor, path, stars }) => visitor.post(`${path}/rating`, { rating: stars }),
  ({ visitor, path }) => visitor.post(`${path}/handoff`, {}),
  ({ visitor, path, id }) =>
    visitor.post(`${path}/lead`, { fields: { name: 'Rui', email: `${id}@example.com` } }),
  ({ team, id }) => team.post(`/api/inbox/${id}/claim`),
  ({ team, id }) => team.post(`/api/inbox/${id}/release`),
  ({ team, id }) => team.post(`/api/inbox/${id}/assign`, { assigned_to_id: null }),
  ({ team, id }) => team.post(`/api/conversations/${id}/resolve`),
  ({ team, id }) => team.post(`/api/conversations/${id}/reopen`),
  ({ team, id, stars }) =>
    stars === 1 ? team.delete(`/api/conversations/${id}`) : team.post(`/api/conversations/${id}/reopen`),
];

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
