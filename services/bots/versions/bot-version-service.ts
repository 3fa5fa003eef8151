import type { Settings } from '../../../core/settings/settings.ts';
import { AppError, notFound, validationError, type ErrorDetail } from '../../../core/errors/errors.ts';
import { newId } from '../../../core/ids.ts';
import { isVisible } from '../../../core/text/visible-text.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { BotVersion } from '../../../entities/bots/bot-version.entity.ts';
import type { BotRepository } from '../../../repositories/bots/bot.repository.ts';
import type {
  AuthoredVersion,
  BotVersionRepository,
  VersionQuery,
} from '../../../repositories/bots/bot-version.repository.ts';
import type { MemberScope } from '../../team/member-scope.ts';
import { parseAvatarId, type AvatarService } from '../avatar-service.ts';
import type { BotChanges, BotService } from '../bot-service.ts';
import { SNAPSHOT_FORMAT, upgradeSnapshot, type Snapshots } from './snapshots.ts';

const KEY_MISSING =
  'The restored configuration uses the workspace’s own key (byok), but none is stored; set api_key.';

/** A validated version of a bot. Its configuration is restored once the bot is locked. */
export interface RestorableVersion {
  version: number;
  changes: BotChanges;
}

export interface BotVersionServiceDeps {
  versions: BotVersionRepository;
  botRows: BotRepository;
  bots: BotService;
  avatars: AvatarService;
  settings: Pick<Settings, 'botVersionsKept'>;
}

/** Saves, lists and restores versions of a bot's configuration. */
export class BotVersionService {
  readonly #deps: BotVersionServiceDeps;

  constructor(deps: BotVersionServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Lists the versions of a bot, newest first.
   * @throws the errors of `BotRepository.get`
   */
  async list(scope: OrgScope, botId: string, query: VersionQuery): Promise<AuthoredVersion[]> {
    const { botRows, versions } = this.#deps;
    await botRows.get(scope, botId);
    return versions.listByBot(scope, botId, query);
  }

  /** @throws AppError `not_found` for an unknown version of the bot; the errors of `BotRepository.get` */
  async get(scope: OrgScope, botId: string, version: number): Promise<AuthoredVersion> {
    const { botRows, versions } = this.#deps;
    await botRows.get(scope, botId);
    const stored = await versions.findByNumber(scope, botId, version);
    if (!stored) throw notFound('version');
    return stored;
  }

  /** Saves the bot's current configuration as the next version. */
  save(
    scope: MemberScope,
    botId: string,
    snapshots: Snapshots,
    note: string | null,
  ): Promise<AuthoredVersion> {
    return inTransaction(scope, async (tx) => {
      const bot = await this.#deps.botRows.lock(tx, botId);
      const saved = await this.add(tx, bot, snapshots, { note, authorId: scope.userId });
      await this.#deleteOldVersions(tx, saved);
      return this.get(tx, botId, saved.version);
    });
  }

  /** Saves a version of a bot. The caller's transaction must have locked or created the bot. */
  async add(
    scope: OrgScope,
    bot: Bot,
    snapshots: Snapshots,
    { note, authorId }: Pick<BotVersion, 'note' | 'authorId'>,
  ): Promise<BotVersion> {
    const { versions } = this.#deps;
    const last = await versions.getLastNumber(scope, bot.id);
    return versions.insert(scope, {
      id: newId(),
      botId: bot.id,
      version: last + 1,
      note: note !== null && isVisible(note) ? note : null,
      format: SNAPSHOT_FORMAT,
      snapshot: snapshots.take(bot),
      avatarId: parseAvatarId(bot.widgetTheme),
      authorId,
    });
  }

  /**
   * Validates a version of a bot that is to be restored, before the bot is locked.
   * @throws AppError `conflict` with the fields that are no longer valid; `url_refused` if the endpoint may
   *   not be contacted; `not_found`
   */
  async prepare(
    scope: OrgScope,
    botId: string,
    version: number,
    snapshots: Snapshots,
  ): Promise<RestorableVersion> {
    const snapshot = upgradeSnapshot(await this.get(scope, botId, version));
    if (!snapshot)
      throw new AppError(
        'conflict',
        `Version ${version} was saved by a later release of Parley; restore it with that release.`,
      );
    const faults = snapshots.findFaults(snapshot);
    if (faults.length > 0) throw unfitVersion(version, faults);
    const changes = snapshots.toChanges(snapshot);
    await this.#deps.bots.checkEndpoint(changes);
    return { version, changes };
  }

  /**
   * Restores the configuration of a bot's version, after saving the current configuration as the next
   * version. Status, public key, counters and the provider's API key stay unchanged.
   * @throws AppError `conflict` with the fields that are no longer valid
   */
  restore(
    scope: MemberScope,
    botId: string,
    { version, changes }: RestorableVersion,
    snapshots: Snapshots,
  ): Promise<Bot> {
    const { botRows, bots, avatars } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const bot = await botRows.lock(tx, botId);
      const note = `Before restoring version ${version}`;
      const saved = await this.add(tx, bot, snapshots, { note, authorId: scope.userId });
      const widgetTheme = changes.widgetTheme && (await avatars.dropUnknownImage(tx, changes.widgetTheme));
      const isKeyMissing = changes.llmProvider === 'byok' && bot.sealedApiKey === null;
      await bots
        .replace(
          tx,
          bot,
          { ...changes, ...(widgetTheme && { widgetTheme }) },
          isKeyMissing ? KEY_MISSING : null,
        )
        .catch((error: unknown) => {
          // The version of the bot fits the schema but breaks another rule, or the data that the rule depends
          // on has changed.
          if (error instanceof AppError && error.code === 'validation_error')
            throw unfitVersion(version, error.details, error);
          throw error;
        });
      await this.#deleteOldVersions(tx, saved);
      return botRows.get(tx, botId);
    });
  }

  /**
   * Deletes the bot's oldest versions beyond the limit, and images that neither the bot nor another version
   * shows. Call this last in the transaction.
   * @param last the bot's newest version
   */
  async #deleteOldVersions(scope: OrgScope, last: BotVersion): Promise<void> {
    const { versions, avatars, settings } = this.#deps;
    const removed = await versions.deleteExcess(scope, last, settings.botVersionsKept);
    if (removed > 0) await avatars.deleteUnused(scope, last.botId);
  }
}

function unfitVersion(version: number, details: ErrorDetail[], cause?: unknown): AppError {
  const { message, details: errorDetails } = validationError(details);
  const summary = `Version ${version} is no longer valid for a bot: ${message}.`;
  return new AppError('conflict', summary, { details: errorDetails, cause });
}
