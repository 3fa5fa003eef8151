import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatOutcome } from '../support/outcome.ts';
import type { ApiClient, TestParley } from '../support/parley.ts';
import { ask } from '../support/widget.ts';

/** Word that is in every message, contact and document of the test, and nowhere else. */
export const WORD = 'quokkaberry';

/**
 * Pause in milliseconds between the calls of a visitor or team member, which leaves the machine time for the
 * test's other work.
 */
const PACE_MS = 250;

/** A visitor with contact details. */
export interface Visitor {
  conversationId: string;
  contactId: string;
  client: ApiClient;
  path: `/api/public/sessions/${string}`;
}

/** Starts a visitor's session and leaves a name. */
export async function startVisit(
  parley: TestParley,
  { bot, client: team }: { bot: { public_key: string }; client: ApiClient },
): Promise<Visitor> {
  const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
  const conversationId = body.session_id;
  const client = parley.client(body.visitor_token);
  const path = `/api/public/sessions/${conversationId}` as const;
  await client.post(`${path}/messages`, { content: `Hello, it is about the ${WORD}.` });
  await client.post(`${path}/consent`, { consent: 'granted' });
  const { status } = await client.post(`${path}/lead`, { fields: { name: `${WORD} Ada` } });
  assert.equal(status, 200);
  const { body: conversation } = await team.get(`/api/conversations/${conversationId}`);
  return { conversationId, contactId: conversation.contact_id!, client, path };
}

/**
 * Simulates visitors who ask questions and a team that edits their contacts, over network connections, until
 * stopped.
 */
export class Traffic {
  /** Number of calls by outcome, such as "201" or "423 key_unavailable". */
  outcomes = new Map<string, number>();
  /** Messages that the API has accepted, by conversation, in order. */
  readonly said = new Map<string, string[]>();
  /** Name that the API has accepted last, by contact. */
  readonly names = new Map<string, string>();
  readonly #team: ApiClient;
  readonly #running: Promise<void>[];
  #isOver = false;

  constructor(team: ApiClient, visitors: readonly Visitor[]) {
    this.#team = team;
    this.#running = visitors.flatMap((visitor) => [
      this.#repeat((count) => this.#talk(visitor, `Where is the ${WORD}? (${count})`)),
      this.#repeat((count) => this.#renameContact(visitor, `${WORD} Ada ${count}`)),
    ]);
  }

  /**
   * Stops the traffic.
   * @throws if a call failed without a response
   */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  /** Returns the outcomes of calls since the last call of this method. */
  takeOutcomes(): Record<string, number> {
    const taken = Object.fromEntries(this.outcomes);
    this.outcomes = new Map();
    return taken;
  }

  async #repeat(call: (count: number) => Promise<string>): Promise<void> {
    for (let count = 1; !this.#isOver; count++) {
      const outcome = await call(count);
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      await sleep(PACE_MS);
    }
  }

  async #talk({ client, path, conversationId }: Visitor, content: string): Promise<string> {
    const response = await ask(client, path, { content });
    const text = await response.text();
    const outcome =
      response.status === 200
        ? /^event: (done|error)$/m.exec(text)?.[1]
        : formatOutcome({ status: response.status, body: JSON.parse(text) as unknown });
    if (outcome === 'done') this.#readSaid(conversationId).push(content);
    return outcome ?? 'cut off';
  }

  #readSaid(conversationId: string): string[] {
    const said = this.said.get(conversationId) ?? [];
    this.said.set(conversationId, said);
    return said;
  }

  async #renameContact({ contactId }: Visitor, name: string): Promise<string> {
    const outcome = formatOutcome(await this.#team.patch(`/api/contacts/${contactId}`, { name }));
    if (outcome === '200') this.names.set(contactId, name);
    return outcome;
  }
}

/** Logs the steps of the test with their times. */
export class Timeline {
  readonly #startedAt = Date.now();

  log(what: string): void {
    const seconds = ((Date.now() - this.#startedAt) / 1000).toFixed(1).padStart(6);
    process.stdout.write(`      ${seconds} s  ${what}\n`);
  }
}
