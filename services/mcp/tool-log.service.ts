import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { redactedArguments } from '../../core/mcp/redacted-arguments.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { ToolInvocation, ToolOutcome } from '../../entities/mcp/tool-invocation.entity.ts';
import type {
  NamedInvocation,
  ToolInvocationRepository,
} from '../../repositories/mcp/tool-invocation.repository.ts';
import { withoutDetails } from '../contacts/details-in-text.ts';

/** Filters as the API names them. */
export interface InvocationQuery extends PageQuery {
  tool?: string;
  api_key_id?: string;
  outcome?: ToolOutcome;
}

export type NewInvocation = Pick<
  ToolInvocation,
  'apiKeyId' | 'tool' | 'errorCode' | 'arguments' | 'durationMs' | 'client' | 'requestId'
>;

export interface ToolLogDeps {
  rows: ToolInvocationRepository;
  keyring: Keyring;
  log: Logger;
  clock: Clock;
}

/** Which tools were called, by which keys, and what came of it. */
export class ToolLog {
  readonly #rows: ToolInvocationRepository;
  readonly #keyring: Keyring;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #writing = new Set<Promise<void>>();

  constructor({ rows, keyring, log, clock }: ToolLogDeps) {
    this.#rows = rows;
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

  /** Newest first. @throws AppError `validation_error` for a foreign cursor */
  list(
    scope: OrgScope,
    { tool, api_key_id: apiKeyId, outcome, ...page }: InvocationQuery,
  ): Promise<Page<NamedInvocation>> {
    return readPage(this.#rows.matching(scope, { tool, apiKeyId, outcome }), page, this.#keyring);
  }

  async #insert(scope: OrgScope, call: NewInvocation, isOver: Promise<unknown>): Promise<void> {
    const outcome = call.errorCode === null ? ('succeeded' as const) : ('failed' as const);
    const row = { ...call, id: newId(), outcome, createdAt: this.#clock.now() };
    await isOver;
    const given = redactedArguments(call.arguments, withoutDetails);
    try {
      await this.#rows.insert(scope, { ...row, arguments: given });
    } catch (error) {
      if (!isKeyUnavailable(error)) throw error;
      await this.#rows.insert(scope, { ...row, arguments: {} });
    }
  }
}
