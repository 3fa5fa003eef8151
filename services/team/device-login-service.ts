import { randomBytes } from 'node:crypto';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { generateUserCode, normalizeUserCode } from '../../core/accounts/user-code.ts';
import { AppError, markAsGuess, createRateLimitedError, withRollbackHook } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { DeviceLogin } from '../../entities/team/device-login.entity.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type { DeviceLoginRepository } from '../../repositories/team/device-login.repository.ts';
import type { SignInContext } from '../accounts/sign-in-service.ts';
import type { Limit, RateLimiter } from '../requests/rate-limiter.ts';
import type { ApiKeyService, IssuedKey } from './api-key-service.ts';
import type { AuditService } from './audit-service.ts';
import { hasRole } from './roles.ts';

const DEVICE_CODE_BYTES = 32;
/** Length in seconds of the window of time in which wrong device codes of an account are counted. */
const GUESS_WINDOW_SECONDS = 15 * 60;
/**
 * Maximum number of attempts to generate a user code that no other login has. A second attempt is hardly ever
 * needed.
 */
const MAX_CODE_ATTEMPTS = 5;
/** Role that people need to approve the login of a device, which creates an API key. */
const KEY_ROLE = 'admin';

/** A device's login that has just started. The device code is returned only once. */
export interface StartedLogin {
  login: DeviceLogin;
  deviceCode: string;
}

/** A poll of a device. */
export interface DevicePoll {
  deviceCode: string;
  /** API version for requests with the device's new key that do not name a version. */
  version: string;
  signInContext: SignInContext;
}

export interface DeviceLoginDeps {
  logins: DeviceLoginRepository;
  accounts: AccountRepository;
  apiKeys: ApiKeyService;
  audit: AuditService;
  limiter: RateLimiter;
  settings: Pick<Settings, 'deviceLoginSeconds' | 'devicePollSeconds' | 'signInLimitPerAccount'>;
}

/**
 * Logs in devices without a browser, such as the command line (RFC 8628): a person approves the device's
 * code in a browser, and the device then collects an API key.
 */
export class DeviceLoginService {
  readonly #deps: DeviceLoginDeps;

  constructor(deps: DeviceLoginDeps) {
    this.#deps = deps;
  }

  /** Starts a login. */
  async start(db: Database, clientName: string, ip: string): Promise<StartedLogin> {
    const { logins, settings } = this.#deps;
    const deviceCode = randomBytes(DEVICE_CODE_BYTES).toString('base64url');
    for (let attempt = 0; attempt < MAX_CODE_ATTEMPTS; attempt += 1) {
      const login = await logins.insert(db, {
        id: newId(),
        deviceDigest: digestSecret(deviceCode),
        userCode: generateUserCode(),
        clientName,
        ip,
        lifetimeSeconds: settings.deviceLoginSeconds,
      });
      if (login) return { login, deviceCode };
    }
    throw new Error('No free user code was found.');
  }

  /**
   * Returns the device's login with this user code.
   * @throws AppError `not_found`, `rate_limited`
   */
  get(db: Database, userId: string, userCode: string): Promise<DeviceLogin> {
    return this.#guess(db, userId, (code) => this.#deps.logins.find(db, code), userCode);
  }

  /**
   * Approves the login of a device, so that the device can collect an API key of the scope's workspace.
   * @throws AppError `not_found`, `conflict` if the login was decided, `rate_limited`
   */
  async approve(
    { db, orgId, userId }: OrgScope & { userId: string },
    userCode: string,
    scopes: readonly string[],
  ): Promise<DeviceLogin> {
    const { id } = await this.#lockPending(db, userId, userCode);
    return this.#deps.logins.markApproved(db, id, { orgId, userId, scopes: [...scopes] });
  }

  /**
   * Denies a login.
   * @throws AppError `not_found`, `conflict` if the login was decided, `rate_limited`
   */
  async deny(db: Database, userId: string, userCode: string): Promise<DeviceLogin> {
    const { id } = await this.#lockPending(db, userId, userCode);
    return this.#deps.logins.markDenied(db, id, userId);
  }

  /**
   * Creates the device's API key if its login is approved. Returns null while the login is pending. The key
   * is created in the transaction that returns it, so that concurrent polls create one key.
   * @throws AppError `not_found`, `forbidden` if the login was denied, `conflict` if the key was returned
   *   before, `rate_limited`
   */
  async poll(db: Database, { deviceCode, version, signInContext }: DevicePoll): Promise<IssuedKey | null> {
    const { logins, apiKeys, settings } = this.#deps;
    const login = await logins.findByDeviceLocked(db, digestSecret(deviceCode));
    if (!login) throw createMissingLoginError();
    const { id, status, clientName: name, scopes } = login;
    if (status === 'consumed')
      throw new AppError('conflict', 'The key of this login was already returned. Start a new login.');
    if (status === 'denied') throw new AppError('forbidden', 'The login was denied.');
    if (!(await logins.markPolled(db, id, settings.devicePollSeconds)))
      throw createRateLimitedError('This login is polled too often', settings.devicePollSeconds);
    if (status === 'pending') return null;
    const scope = await this.#requireApprover(db, login);
    const issued = await apiKeys.create({ ...scope, version }, { name, scopes });
    await logins.markConsumed(db, id);
    const subject = { orgId: scope.orgId, resourceType: 'api_key', resourceId: issued.row.id, action: null };
    this.#deps.audit.record(db, [subject], {
      ...signInContext,
      userId: scope.userId,
      keyId: null,
      changedFields: ['name', 'scopes'],
    });
    return issued;
  }

  /** @throws AppError `forbidden` if the person who approves the device may no longer create API keys */
  async #requireApprover(
    db: Database,
    { userId, orgId }: DeviceLogin,
  ): Promise<OrgScope & { userId: string }> {
    const workspace =
      userId === null || orgId === null ? null : await this.#deps.accounts.findWorkspace(db, userId, orgId);
    if (userId === null || workspace === null || !hasRole(workspace.role, KEY_ROLE))
      throw new AppError('forbidden', 'The person who approved the login may no longer create API keys.');
    return { db, orgId: workspace.id, userId };
  }

  async #lockPending(db: Database, userId: string, userCode: string): Promise<DeviceLogin> {
    const login = await this.#guess(db, userId, (code) => this.#deps.logins.findLocked(db, code), userCode);
    if (login.status !== 'pending')
      throw new AppError(
        'conflict',
        `This login was already ${login.status === 'denied' ? 'denied' : 'approved'}.`,
      );
    return login;
  }

  /**
   * Finds a device's login by a user code, and counts wrong codes of the account. Once the account has
   * entered too many wrong codes, no code is checked.
   * @throws AppError `not_found`, `rate_limited`
   */
  async #guess(
    db: Database,
    userId: string,
    find: (code: string) => Promise<DeviceLogin | null>,
    userCode: string,
  ): Promise<DeviceLogin> {
    const { limiter } = this.#deps;
    const limit = this.#guessLimit(userId);
    const { remaining, resetSeconds } = await limiter.peek(db, limit);
    if (remaining === 0)
      throw createRateLimitedError('Too many wrong codes were entered with this account', resetSeconds);
    const login = await find(normalizeUserCode(userCode));
    if (login) return login;
    throw withRollbackHook(markAsGuess(createMissingLoginError()), () => limiter.consume({ shared: limit }));
  }

  #guessLimit(userId: string): Limit {
    const { signInLimitPerAccount: limit } = this.#deps.settings;
    return { key: `wrong-device-code:${userId}`, limit, windowSeconds: GUESS_WINDOW_SECONDS };
  }
}

/** Creates the same error for unknown and expired user codes, so that guesses reveal nothing. */
function createMissingLoginError(): AppError {
  return new AppError(
    'not_found',
    'There is no device login with this code, or the login has expired. Check the code, or start a new login.',
  );
}
