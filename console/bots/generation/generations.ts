import { generateBrowserId } from '../../../browser/new-id.ts';
import { toApiError, type ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import type { BotGenerateRequest, GeneratedBot } from '../../client/types.ts';
import { Store } from '../../client/store.ts';
import { currentRoute } from '../../router.ts';
import { showConfirmation, showError } from '../../components/page/notices.ts';

/** Data that the user enters to generate a bot. */
export type Description = Required<Pick<BotGenerateRequest, 'description' | 'import_website'>> & {
  website_url: string;
};

/** The generation of a bot from a description, in progress or ended. */
export interface Generation {
  /** Idempotency key of all attempts, so that they create only one bot. */
  idempotencyKey: string;
  orgId: string;
  request: Description;
  startedAt: number;
  state: 'making' | 'made' | 'failed';
  made: CreatedBot | null;
}

interface CreatedBot {
  botId: string;
  name: string;
  /** Topics that the server suggests for the bot's documents. */
  topics: string[];
}

const STORAGE_KEY = 'parley.generation';
/**
 * Timeout of the generation request. The server waits half a minute for the language model by default, then
 * creates the bot.
 */
const TIMEOUT_MS = 60_000;

/** Stores the last generation of a bot in this tab, which survives reloads and visits to other pages. */
class Generations extends Store<Generation | null> {
  #running: string | null = null;
  #problem: ApiError | null = null;

  constructor() {
    const stored = sessionStorage.getItem(STORAGE_KEY);
    super(stored === null ? null : (JSON.parse(stored) as Generation));
    this.subscribe(() => {
      if (this.value === null) sessionStorage.removeItem(STORAGE_KEY);
      else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(this.value));
    });
  }

  /** Error of the last generation of a bot; null if that generation did not fail. */
  get problem(): ApiError | null {
    return this.#problem;
  }

  /** Starts the generation of a bot. The same description after a failure reuses the idempotency key. */
  start(client: Client, orgId: string, request: Description): void {
    const before = this.value;
    if (before?.state === 'making' && before.orgId === orgId) return;
    const isSame =
      before?.state === 'failed' &&
      before.orgId === orgId &&
      JSON.stringify(before.request) === JSON.stringify(request);
    const idempotencyKey = isSame ? before.idempotencyKey : generateBrowserId();
    this.#problem = null;
    this.set({ idempotencyKey, orgId, request, startedAt: Date.now(), state: 'making', made: null });
    this.resume(client);
  }

  /**
   * Sends the generation request again after a reload or sign-in. If the bot was already created, the API
   * returns this bot, because the idempotency key is the same.
   */
  resume(client: Client): void {
    const { value } = this;
    if (value?.state === 'making' && this.#running !== value.idempotencyKey)
      void this.#requestBot(client, value);
  }

  forget(): void {
    this.set(null);
  }

  async #requestBot(client: Client, { idempotencyKey, request }: Generation): Promise<void> {
    this.#running = idempotencyKey;
    const body = { ...request, website_url: request.website_url || null };
    try {
      const { bot, blueprint } = await client.post<GeneratedBot>('/api/bots/generate', body, {
        idempotencyKey,
        timeoutMs: TIMEOUT_MS,
      });
      if (bot === null) throw new Error('The API returned no bot.');
      const made = { botId: bot.id, name: bot.name, topics: blueprint.suggested_kb_topics };
      this.#finishGeneration(idempotencyKey, null, { state: 'made', made });
    } catch (error) {
      const problem = toApiError(error);
      // The status 401 does not end the generation: it resumes after the next sign-in.
      if (problem.status !== 401) this.#finishGeneration(idempotencyKey, problem, { state: 'failed' });
    } finally {
      if (this.#running === idempotencyKey) this.#running = null;
    }
  }

  #finishGeneration(idempotencyKey: string, problem: ApiError | null, changes: Partial<Generation>): void {
    const { value } = this;
    if (value?.idempotencyKey !== idempotencyKey) return;
    this.#problem = problem;
    this.set({ ...value, ...changes });
    if (isFormOpen()) return;
    if (problem === null)
      showConfirmation(`${changes.made?.name ?? 'Your bot'} is ready to review. Find it in Bots.`);
    else showError(`Couldn't generate your bot: ${problem.message}`);
  }
}

/**
 * Whether the page with the description form is open. This page shows the outcome of the generation, so no
 * notice is needed.
 */
function isFormOpen(): boolean {
  return currentRoute().segments.join('/') === 'bots/new';
}

export const generations = new Generations();
