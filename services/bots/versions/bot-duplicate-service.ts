import { AppError, notFound } from '../../../core/errors/errors.ts';
import { newId } from '../../../core/ids.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { AvatarRepository } from '../../../repositories/bots/avatar.repository.ts';
import type { BotRepository } from '../../../repositories/bots/bot.repository.ts';
import type { MemberRepository } from '../../../repositories/team/member.repository.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import type { AvatarService, ReceivedAvatar } from '../avatar-service.ts';
import type { BotChanges, BotService } from '../bot-service.ts';
import type { FlowCopies } from '../../flows/flow-copies.ts';
import type { MemberScope } from '../../team/member-scope.ts';
import { notYourWorkspace, requireRole } from '../../team/roles.ts';
import type { BotVersionService } from './bot-version-service.ts';
import type { Snapshots } from './snapshots.ts';

const SUFFIX = ' (copy)';
const MAX_NAME_LENGTH = 255;

/**
 * A copy of a bot that is ready to be created. The avatar's file is already copied; `discard` deletes the
 * copied file.
 */
export interface PreparedCopy {
  source: Bot;
  /** Id of the new bot. */
  botId: string;
  orgId: string;
  /** Name of the workspace that gets the copy; null if the copy stays in the bot's workspace. */
  otherOrgName: string | null;
  avatar: ReceivedAvatar['avatar'] | null;
  /** Value for the API's fingerprint, which identifies a repeated request; null, since a copy needs none. */
  fingerprint: null;
  discard(): Promise<void>;
}

/**
 * Treatment of the bot's flows when the bot is copied. `unreadable`: the caller may not read flows, so the
 * bot must have none.
 */
export type FlowCopyMode = 'copy' | 'omit' | 'unreadable';

export interface BotDuplicateServiceDeps {
  botRows: BotRepository;
  avatarRows: AvatarRepository;
  orgs: OrgRepository;
  members: MemberRepository;
  bots: BotService;
  avatars: AvatarService;
  versions: BotVersionService;
  flowCopies: FlowCopies;
}

export class BotDuplicateService {
  readonly #deps: BotDuplicateServiceDeps;

  constructor(deps: BotDuplicateServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Checks the workspace that gets the copy of the bot, and copies the avatar's file.
   * @param orgId workspace in which the copy is created
   * @throws the errors of `BotRepository.get`; AppError `forbidden` or `not_found` for the target workspace
   */
  async prepare(scope: MemberScope, botId: string, orgId: string): Promise<PreparedCopy> {
    const { botRows, avatars } = this.#deps;
    const source = await botRows.get(scope, botId);
    const otherOrgName = await inTransaction(scope, (tx) => this.#checkTargetOrg(tx, orgId));
    const copyId = newId();
    const avatar = await avatars.copyFile(scope, source, { orgId, botId: copyId });
    return {
      source,
      botId: copyId,
      orgId,
      otherOrgName,
      avatar,
      fingerprint: null,
      discard: async () => (avatar ? avatars.discard(avatar.storageKey) : undefined),
    };
  }

  /**
   * Creates the copy of a bot as a draft, with its configuration as the first version. Copies flows if
   * requested. Does not copy secrets, documents, conversations, webhooks or versions.
   * @throws AppError `forbidden` if flows are requested and the caller may not read them
   */
  duplicate(
    scope: MemberScope,
    { source, botId, orgId, avatar }: PreparedCopy,
    snapshots: Snapshots,
    { name, flows }: { name: string | undefined; flows: FlowCopyMode },
  ): Promise<Bot> {
    const { botRows, avatarRows, bots, versions, flowCopies } = this.#deps;
    return inTransaction(scope, async (tx) => {
      await botRows.get(tx, source.id);
      await this.#checkTargetOrg(tx, orgId);
      const target = { db: tx.db, orgId };
      const configuration = snapshots.toChanges(snapshots.take(source));
      const copy = await bots.insertConfigured(target, botId, {
        ...configuration,
        name: name ?? toCopyName(source.name),
        widgetTheme: this.#toCopiedTheme(source, avatar),
        handoffConfig: await this.#toCopiedHandoff(target, source),
      });
      if (avatar) await avatarRows.insert(target, avatar);
      if (flows === 'unreadable') await flowCopies.requireNoFlows(tx, source.id);
      if (flows === 'copy') await flowCopies.copy(tx, source.id, target, copy.id);
      const note = `Copied from ${source.name}`;
      await versions.add(target, copy, snapshots, { note, authorId: scope.userId });
      return copy;
    });
  }

  /**
   * Checks the workspace that gets the copy of the bot. Returns its name; null if it is the caller's current
   * workspace.
   * @throws AppError `not_found` or `forbidden` if the target workspace is not active, or the caller is not
   *   an admin of it
   */
  async #checkTargetOrg(scope: MemberScope, orgId: string): Promise<string | null> {
    const { orgs, members } = this.#deps;
    if (orgId === scope.orgId) return null;
    const targetScope = { db: scope.db, orgId };
    // An API key can access its own workspace and those below it, but no other workspace.
    const isAccessible = scope.keyId === null || (await orgs.contains(scope, orgId));
    const role = isAccessible ? await members.lockRoles(targetScope, scope.userId) : null;
    const targetOrg = await orgs.findUndeletedLocked(targetScope);
    if (!targetOrg) throw notFound('workspace');
    if (!isAccessible) throw notYourWorkspace();
    requireRole(role, 'admin');
    if (!targetOrg.isActive)
      throw new AppError('forbidden', 'That workspace is not active; its owner can activate it.');
    return targetOrg.name;
  }

  /**
   * Removes the avatar from the copy's theme if its file was not copied: the file belongs to the source bot,
   * whose deletion also deletes the file.
   */
  #toCopiedTheme({ widgetTheme }: Bot, avatar: PreparedCopy['avatar']): Bot['widgetTheme'] {
    const { avatars } = this.#deps;
    return avatar
      ? { ...widgetTheme, avatar_url: avatars.buildUrl(avatar.id) }
      : avatars.dropImage(widgetTheme);
  }

  /** Removes recipients of handoff emails who may not answer visitors in the workspace that gets the copy. */
  async #toCopiedHandoff(
    target: OrgScope,
    { orgId, handoffConfig }: Bot,
  ): Promise<BotChanges['handoffConfig']> {
    const notify = handoffConfig?.notify;
    if (!notify || notify.length === 0 || orgId === target.orgId) return handoffConfig;
    const answeringMembers = await this.#deps.members.listAnswering(target, notify);
    const recipients = notify.filter((recipient) => answeringMembers.has(recipient.toLowerCase()));
    return { ...handoffConfig, notify: recipients.length > 0 ? recipients : null };
  }
}

/** Appends the suffix for copies to a bot's name, and shortens the name to the maximum length. */
function toCopyName(name: string): string {
  return [...name].slice(0, MAX_NAME_LENGTH - SUFFIX.length).join('') + SUFFIX;
}
