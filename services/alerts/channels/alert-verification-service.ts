import { randomInt } from 'node:crypto';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { pollUntil } from '../../../core/concurrency/poll-until.ts';
import type { Clock } from '../../../core/clock.ts';
import { getDefaultLanguage, type Language } from '../../../core/languages.ts';
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
import { composeCode, composeTest } from '../messages/message-texts.ts';
import type { AlertPolicyService, PolicyWithStatus } from '../alert-policy-service.ts';

const CODE_SECONDS = 10 * 60;
const PAUSE_SECONDS = 60;
const MAX_TRIES = 5;
/**
 * Limits of verification codes to one destination, over all workspaces. These limits protect the owner of a
 * number from strangers, and the operator from costs.
 */
const CODE_LIMITS = [
  { name: 'an hour', seconds: 3600, limit: 5 },
  { name: 'a day', seconds: 86_400, limit: 10 },
];
/** Time in seconds after which a test message is no longer sent, because the user no longer waits for it. */
const TEST_SECONDS = 60;
const STILL_SENDING =
  'The message has not been sent yet. Check the destination in a moment, and ask the operator if nothing arrives.';

export interface StartedVerification {
  expiresAt: Date;
  nextSendAt: Date;
}

/** Result of sending an alert message, as the API reports it. */
export interface SendReport {
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
  rateWindows: RateWindowRepository;
  keyring: Keyring;
  clock: Clock;
  settings: Pick<Settings, 'alertSettleMs'>;
}

/** Verifies the destinations of alerts with codes, and sends test messages. */
export class AlertVerificationService {
  readonly #deps: AlertVerificationServiceDeps;

  constructor(deps: AlertVerificationServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Sends a verification code to the destination of an alert policy.
   * @throws AppError `conflict` if the destination is verified; `rate_limited` within a minute of the last
   *   code, or if all workspaces together have sent too many codes to the destination
   */
  start(scope: OrgScope, policyId: string): Promise<StartedVerification> {
    return inTransaction(scope, async (tx) => {
      const { policies, destinations, queue } = this.#deps;
      const { policy, destination } = await policies.get(tx, policyId);
      if (isVerified(destination)) throw new AppError('conflict', 'The destination is already verified.');
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const row = await destinations.replaceCode(tx, policy, {
        digest: this.#digestCode(tx, policy, code),
        lifetimeSeconds: CODE_SECONDS,
        pauseSeconds: PAUSE_SECONDS,
      });
      if (!row) throw this.#createTooSoonError((await destinations.find(tx, policy))?.nextCodeAt ?? null);
      await this.#countCode(tx, policy);
      const expiresAt = row.codeExpiresAt!;
      const content = composeCode(await this.#loadLanguage(tx), code, CODE_SECONDS / 60);
      await queue.enqueue(tx, policy, { kind: 'code', content, expiresAt });
      return { expiresAt, nextSendAt: row.nextCodeAt! };
    });
  }

  /**
   * Checks a verification code and uses up one attempt, even if the request fails later. Does nothing if the
   * destination is verified already.
   * @returns digest of the correct code; null if the destination is verified already
   * @throws AppError `conflict` if there is no valid code or no attempt left; `validation_error` for a wrong
   * code
   */
  async tryCode(scope: OrgScope, policyId: string, code: string): Promise<string | null> {
    const { policies, destinations } = this.#deps;
    const { policy, destination } = await policies.get(scope, policyId);
    if (isVerified(destination)) return null;
    const tried = await destinations.spendTry(scope, policy, MAX_TRIES);
    if (!tried)
      throw new AppError(
        'conflict',
        'The code has expired, or too many wrong codes were entered; request a new code.',
      );
    const codeDigest = this.#digestCode(scope, policy, code);
    if (tried.codeDigest === codeDigest) return codeDigest;
    throw invalidField('code', 'is not the code that was sent last');
  }

  /**
   * Marks the alert policy's destination as verified, for all policies of the workspace with the destination.
   * @param codeDigest result of `tryCode`; null changes nothing
   * @throws AppError `conflict` if the code was replaced since `tryCode`
   */
  finish(
    scope: OrgScope,
    policyId: string,
    codeDigest: string | null,
  ): Promise<{ policy: PolicyWithStatus; isNew: boolean }> {
    return inTransaction(scope, async (tx) => {
      const { policies, destinations } = this.#deps;
      const before = await policies.get(tx, policyId);
      if (codeDigest === null) return { policy: before, isNew: false };
      const isNew = await destinations.useCode(tx, before.policy, codeDigest);
      const policy = await policies.get(tx, policyId);
      if (!isNew && !isVerified(policy.destination))
        throw new AppError('conflict', 'A newer code was sent in the meantime; enter that code.');
      return { policy, isNew };
    });
  }

  /**
   * Queues a test message to the destination of an alert policy, which is sent like alerts. Returns the
   * message's id.
   * @throws AppError `conflict` if the destination is blocked or unverified
   */
  startTest(scope: OrgScope, policyId: string): Promise<string> {
    return inTransaction(scope, async (tx) => {
      const { policies, queue, clock } = this.#deps;
      const { policy, destination } = await policies.get(tx, policyId);
      if (destination.blockedAt)
        throw new AppError('conflict', 'The destination rejects messages; connect or verify it again.');
      if (!destination.verifiedAt) throw new AppError('conflict', 'Verify the destination first.');
      const expiresAt = new Date(clock.now().getTime() + TEST_SECONDS * 1000);
      const content = composeTest(await this.#loadLanguage(tx), policy.label);
      return (await queue.enqueue(tx, policy, { kind: 'test', content, expiresAt }))!;
    });
  }

  /** Waits for the outcome of sending the verification code that was queued last. */
  async waitForCodeOutcome(scope: OrgScope, policyId: string): Promise<SendReport> {
    const message = await this.#deps.messages.findLatest(scope, policyId, 'code');
    return this.waitForOutcome(scope, message?.id ?? policyId);
  }

  /** Waits up to `alertSettleMs` until the outcome of a message is known. */
  async waitForOutcome(scope: OrgScope, messageId: string): Promise<SendReport> {
    const { messages, settings } = this.#deps;
    const startedAt = performance.now();
    const latest = await pollUntil(
      () => messages.find(scope, messageId),
      (message) => message === null || isOutcomeKnown(message),
      startedAt + settings.alertSettleMs,
    );
    const durationMs = Math.round(performance.now() - startedAt);
    if (latest === null)
      return { isSent: false, error: 'The policy was deleted in the meantime.', durationMs };
    if (!isOutcomeKnown(latest)) return { isSent: false, error: latest.reason ?? STILL_SENDING, durationMs };
    const isSent = !['pending', 'sending', 'failed'].includes(latest.state);
    return { isSent, error: isSent ? null : (latest.reason ?? 'The message could not be sent.'), durationMs };
  }

  /** Counts a verification code that was sent to a destination, over all workspaces. */
  async #countCode({ db }: OrgScope, { channel, destination }: AlertPolicy): Promise<void> {
    const { rateWindows, keyring } = this.#deps;
    const recipientDigest = keyring.digest('recipient', `${channel}/${destination}`);
    for (const { name, seconds, limit } of CODE_LIMITS) {
      const { used, reset } = await rateWindows.spendWithin(
        db,
        `alert-codes-to:${name}:${recipientDigest}`,
        seconds,
      );
      if (used > limit)
        throw new AppError(
          'rate_limited',
          `This destination has received ${limit} codes within ${name}, from all workspaces together; wait ${reset} s, or connect the destination with a link.`,
          { headers: { 'Retry-After': String(reset) }, subject: 'limit codes to a destination' },
        );
    }
  }

  async #loadLanguage(scope: OrgScope): Promise<Language> {
    return getDefaultLanguage(await this.#deps.orgs.getSettings(scope));
  }

  #digestCode(
    { orgId }: OrgScope,
    { channel, destination }: { channel: string; destination: string },
    code: string,
  ) {
    return this.#deps.keyring.digest('alert-code', `${orgId}/${channel}/${destination}/${code}`);
  }

  #createTooSoonError(nextAt: Date | null): AppError {
    const waitMs = (nextAt?.getTime() ?? 0) - this.#deps.clock.now().getTime();
    const seconds = Math.min(PAUSE_SECONDS, Math.max(1, Math.ceil(waitMs / 1000)));
    return new AppError(
      'rate_limited',
      `A code was sent a moment ago; the next code can be sent in ${seconds} s.`,
      {
        headers: { 'Retry-After': String(seconds) },
        subject: 'limit codes to a destination',
      },
    );
  }
}

function isVerified({ verifiedAt, blockedAt }: { verifiedAt: Date | null; blockedAt: Date | null }): boolean {
  return verifiedAt !== null && blockedAt === null;
}

/**
 * True if the outcome of a message is known. A waiting message with a `reason` has failed once; callers need
 * not wait for its retry.
 */
function isOutcomeKnown({ state, reason }: AlertMessage): boolean {
  return (state !== 'pending' && state !== 'sending') || reason !== null;
}
