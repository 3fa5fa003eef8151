import { randomInt } from 'node:crypto';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { pollUntil } from '../../../core/concurrency/poll-until.ts';
import type { Clock } from '../../../core/clock.ts';
import { languageOf, type Language } from '../../../core/languages.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { AppError, invalidField } from '../../../core/errors/errors.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { AlertPolicy } from '../../../entities/alerts/alert-policy.entity.ts';
import type { RateWindowRepository } from '../../../repositories/requests/rate-window.repository.ts';
import type { AlertMessage } from '../../../entities/alerts/alert-message.entity.ts';
import type { AlertDestinationRepository } from '../../../repositories/alerts/alert-destination.repository.ts';
import type { AlertMessageRepository } from '../../../repositories/alerts/alert-message.repository.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import type { AlertQueue } from '../alert-queue.ts';
import { codeContent, testContent } from '../messages/message-texts.ts';
import type { AlertPolicyService, SeenPolicy } from '../alert-policy-service.ts';

const CODE_SECONDS = 10 * 60;
const PAUSE_SECONDS = 60;
const MOST_TRIES = 5;
/** Whoever has a number is not to be bothered by strangers, nor is the operator to pay for it. */
const CODES_OF_DESTINATION = [
  { name: 'an hour', seconds: 3600, limit: 5 },
  { name: 'a day', seconds: 86_400, limit: 10 },
];
/** There is no use in a test that nobody waits for. */
const TEST_SECONDS = 60;
const LATE =
  'It is not sent yet. Look at the destination in a moment, and ask the operator if nothing comes.';

export interface StartedVerification {
  expiresAt: Date;
  nextSendAt: Date;
}

/** What became of a message. */
export interface Sent {
  isSent: boolean;
  error: string | null;
  durationMs: number;
}

export interface AlertVerificationServiceDeps {
  policies: AlertPolicyService;
  destinations: AlertDestinationRepository;
  messages: AlertMessageRepository;
  orgs: Pick<OrgRepository, 'getSettings'>;
  queue: AlertQueue;
  windows: RateWindowRepository;
  keyring: Keyring;
  clock: Clock;
  settings: Pick<Settings, 'alertSettleMs'>;
}

/** Codes that prove a destination, and samples that show that it is reached. */
export class AlertVerificationService {
  readonly #deps: AlertVerificationServiceDeps;

  constructor(deps: AlertVerificationServiceDeps) {
    this.#deps = deps;
  }

  /**
   * @throws AppError `conflict` for a destination that is proven; `rate_limited` within a minute of the last code, and for one that has
   *   had many from any workspaces
   */
  start(scope: OrgScope, policyId: string): Promise<StartedVerification> {
    return inTransaction(scope, async (tx) => {
      const { policies, destinations, queue } = this.#deps;
      const { policy, destination } = await policies.get(tx, policyId);
      if (isProven(destination)) throw new AppError('conflict', 'The destination is verified already.');
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const row = await destinations.replaceCode(tx, policy, {
        digest: this.#digestOf(tx, policy, code),
        goodSeconds: CODE_SECONDS,
        pauseSeconds: PAUSE_SECONDS,
      });
      if (!row) throw this.#tooSoon((await destinations.find(tx, policy))?.nextCodeAt ?? null);
      await this.#spend(tx, policy);
      const expiresAt = row.codeExpiresAt!;
      const content = codeContent(await this.#languageOf(tx), code, CODE_SECONDS / 60);
      await queue.enqueue(tx, policy, { kind: 'code', content, expiresAt });
      return { expiresAt, nextSendAt: row.nextCodeAt! };
    });
  }

  /**
   * Spends a try of the destination's code, whatever becomes of the request; of one that is proven, none.
   * @throws AppError `conflict` where no code may be tried; `validation_error` for a wrong one
   */
  async tryCode(scope: OrgScope, policyId: string, code: string): Promise<void> {
    const { policies, destinations } = this.#deps;
    const { policy, destination } = await policies.get(scope, policyId);
    if (isProven(destination)) return;
    const tried = await destinations.spendTry(scope, policy, MOST_TRIES);
    if (!tried)
      throw new AppError('conflict', 'There is no code that can be tried any more; have another one sent.');
    if (tried.codeDigest === this.#digestOf(scope, policy, code)) return;
    throw invalidField('code', 'is not the code that was sent last');
  }

  /** The destination is proven for all its policies. */
  finish(scope: OrgScope, policyId: string): Promise<{ seen: SeenPolicy; isNew: boolean }> {
    return inTransaction(scope, async (tx) => {
      const { policies, destinations } = this.#deps;
      const { policy, destination } = await policies.get(tx, policyId);
      const isNew = !isProven(destination);
      if (isNew) await destinations.markVerified(tx, policy, { verifiedBy: 'code' });
      return { seen: await policies.get(tx, policyId), isNew };
    });
  }

  /** Has a sample sent the way alerts go; returns its id. @throws AppError `conflict` for a destination that takes none */
  startTest(scope: OrgScope, policyId: string): Promise<string> {
    return inTransaction(scope, async (tx) => {
      const { policies, queue, clock } = this.#deps;
      const { policy, destination } = await policies.get(tx, policyId);
      if (destination.blockedAt)
        throw new AppError('conflict', 'The destination takes no messages; connect or verify it again.');
      if (!destination.verifiedAt) throw new AppError('conflict', 'Verify the destination first.');
      const expiresAt = new Date(clock.now().getTime() + TEST_SECONDS * 1000);
      const content = testContent(await this.#languageOf(tx), policy.label);
      return (await queue.enqueue(tx, policy, { kind: 'test', content, expiresAt }))!;
    });
  }

  /** What became of the code that was queued last, as soon as that is known. */
  async codeOutcome(scope: OrgScope, policyId: string): Promise<Sent> {
    const message = await this.#deps.messages.findLatest(scope, policyId, 'code');
    return this.outcome(scope, message?.id ?? policyId);
  }

  /** The same of any message. */
  async outcome(scope: OrgScope, messageId: string): Promise<Sent> {
    const { messages, settings } = this.#deps;
    const startedAt = performance.now();
    const seen = await pollUntil(
      () => messages.find(scope, messageId),
      (message) => message === null || isOver(message),
      startedAt + settings.alertSettleMs,
    );
    const durationMs = Math.round(performance.now() - startedAt);
    if (seen === null) return { isSent: false, error: 'The policy was deleted meanwhile.', durationMs };
    if (!isOver(seen)) return { isSent: false, error: seen.reason ?? LATE, durationMs };
    const isSent = !['pending', 'sending', 'failed'].includes(seen.state);
    return { isSent, error: isSent ? null : (seen.reason ?? 'It could not be sent.'), durationMs };
  }

  /** Counts a code for its destination, whichever workspace has it sent. */
  async #spend({ db }: OrgScope, { channel, destination }: AlertPolicy): Promise<void> {
    const { windows, keyring } = this.#deps;
    const place = keyring.digest('recipient', `${channel}/${destination}`);
    for (const { name, seconds, limit } of CODES_OF_DESTINATION) {
      const { used, reset } = await windows.spendWithin(db, `alert-codes-to:${name}:${place}`, seconds);
      if (used > limit)
        throw new AppError(
          'rate_limited',
          `This destination has had ${limit} codes within ${name}, from all workspaces together; wait ${reset} s, or connect it by its link.`,
          { headers: { 'Retry-After': String(reset) } },
        );
    }
  }

  async #languageOf(scope: OrgScope): Promise<Language> {
    return languageOf(await this.#deps.orgs.getSettings(scope));
  }

  #digestOf(
    { orgId }: OrgScope,
    { channel, destination }: { channel: string; destination: string },
    code: string,
  ) {
    return this.#deps.keyring.digest('alert-code', `${orgId}/${channel}/${destination}/${code}`);
  }

  #tooSoon(nextAt: Date | null): AppError {
    const waitMs = (nextAt?.getTime() ?? 0) - this.#deps.clock.now().getTime();
    const seconds = Math.min(PAUSE_SECONDS, Math.max(1, Math.ceil(waitMs / 1000)));
    return new AppError(
      'rate_limited',
      `A code was sent a moment ago; another one can be in ${seconds} seconds.`,
      {
        headers: { 'Retry-After': String(seconds) },
      },
    );
  }
}

function isProven({ verifiedAt, blockedAt }: { verifiedAt: Date | null; blockedAt: Date | null }): boolean {
  return verifiedAt !== null && blockedAt === null;
}

/** `reason` of one that waits says what keeps it: nobody has to wait for the end of that. */
function isOver({ state, reason }: AlertMessage): boolean {
  return (state !== 'pending' && state !== 'sending') || reason !== null;
}
