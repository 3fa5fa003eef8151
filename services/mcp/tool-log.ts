import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { redactedArguments } from '../../core/mcp/redacted-arguments.ts';
import { redactedText } from '../../core/mcp/redacted-text.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { ToolInvocation, ToolOutcome } from '../../entities/mcp/tool-invocation.entity.ts';
import type {
  NamedInvocation,
  ToolInvocationRepository,
} from '../../repositories/mcp/tool-invocation.repository.ts';
import type { IssuedKeyRepository } from '../../repositories/team/issued-key.repository.ts';
import { withoutDetails } from '../contacts/details-in-text.ts';
import type { RateLimiter } from '../requests/rate-limiter.ts';

/** Filters as the API names them. */
export interface InvocationQuery extends PageQuery {
  tool?: string;
  api_key_id?: string;
  outcome?: ToolOutcome;
}

export type NewInvocation = Pick<
  Opened<ToolInvocation>,
  'apiKeyId' | 'tool' | 'errorCode' | 'arguments' | 'durationMs' | 'client' | 'requestId'
>;

/** Of the name of a tool, which a client may have made up. */
const LONGEST_NAME = 100;
const LONGEST_CLIENT = 200;
/** Calls beyond the rate limit that are stored of a key in a minute: every other call is bounded by the rate limit itself. */
const MAX_LIMITED_A_MINUTE = 60;

export interface ToolLogDeps {
  limiter: Pick<RateLimiter, 'consume'>;
  rows: ToolInvocationRepository;
  keys: IssuedKeyRepository;
  keyring: Keyring;
  log: Logger;
  clock: Clock;
}

/** Which tools were called, by which keys, and what came of it. */
export class ToolLog {
  readonly #limiter: ToolLogDeps['limiter'];
  readonly #rows: ToolInvocationRepository;
  readonly #keys: IssuedKeyRepository;
  readonly #keyring: Keyring;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #writing = new Set<Promise<void>>();

  constructor({ limiter, rows, keys, keyring, log, clock }: ToolLogDeps) {
    this.#limiter = limiter;
    this.#rows = rows;
    this.#keys = keys;
    this.#keyring = keyring;
    this.#log = log;
    this.#clock = clock;
  }

  /**
   * Notes a call whose arguments are as they came; without them, where they cannot be sealed. Nobody waits for it, and what was done
   * stays done where it cannot be noted.
   * @param isOver the call has been responded to, which the writing would delay
   */
  note(scope: OrgScope, call: NewInvocation, isOver: Promise<unknown>): void {
    const writing = this.#insert(scope, call, isOver).catch((error: unknown) => {
      const { tool, requestId } = call;
      this.#log.warn({ err: error, tool, requestId }, 'a call of a tool was not noted');
    });
    this.#writing.add(writing);
    void writing.finally(() => this.#writing.delete(writing));
  }

  /** Waits for what is being noted. */
  async drain(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /**
   * Newest first. A key that was deleted is still found by its calls.
   * @throws AppError `validation_error` for a foreign cursor; `forbidden` for a key of another workspace, `not_found` for none
   */
  async list(
    scope: OrgScope,
    { tool, api_key_id: apiKeyId, outcome, ...page }: InvocationQuery,
  ): Promise<Page<Opened<NamedInvocation>>> {
    const found = await readPage(
      this.#rows.matching(scope, { tool, apiKeyId, outcome }),
      page,
      this.#keyring,
    );
    const isKnown = apiKeyId === undefined || found.items.length > 0;
    if (!isKnown && !(await this.#rows.hasKey(scope, apiKeyId))) await this.#keys.get(scope, apiKeyId);
    return { ...found, items: await this.#rows.openAll(scope, found.items) };
  }

  async #insert(scope: OrgScope, call: NewInvocation, isOver: Promise<unknown>): Promise<void> {
    const createdAt = this.#clock.now();
    await isOver;
    if (call.errorCode === 'rate_limited' && !(await this.#isRoomForLimited(call.apiKeyId))) return;
    // Calls of a batch end at once, and each of them is work.
    await yieldToEventLoop();
    const outcome = call.errorCode === null ? ('succeeded' as const) : ('failed' as const);
    const row = {
      ...call,
      id: newId(),
      tool: redactedText(call.tool, LONGEST_NAME, withoutDetails),
      client: call.client && redactedText(call.client, LONGEST_CLIENT, withoutDetails),
      outcome,
      createdAt,
    };
    const given = redactedArguments(call.arguments, {
      withoutDetails,
      digest: (text) => this.#keyring.digest('logged-text', text),
    });
    try {
      await this.#rows.insert(scope, { ...row, arguments: given });
    } catch (error) {
      if (!isKeyUnavailable(error)) throw error;
      await this.#rows.insert(scope, { ...row, arguments: {} });
    }
  }

  /** Keeps a client that ignores its limit from filling the table. */
  async #isRoomForLimited(apiKeyId: string): Promise<boolean> {
    const shared = { key: `tool-log:${apiKeyId}`, limit: MAX_LIMITED_A_MINUTE, windowSeconds: 60 };
    return (await this.#limiter.consume({ shared })).isAdmitted;
  }
}
