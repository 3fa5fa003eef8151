import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError, notFound } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { requireTimeZone } from '../../core/require-time-zone.ts';
import { deriveSlug } from '../../core/text/slug.ts';
import type { Database } from '../../database/database.ts';
import type { Org, OrgSettings } from '../../entities/team/org.entity.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import { lockName } from '../../database/advisory-lock.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { RateWindowRepository } from '../../repositories/requests/rate-window.repository.ts';
import type { NewOrg, OrgRepository, OrgWithRole } from '../../repositories/team/org.repository.ts';
import { deleteOrgWorkflowId } from '../../core/workflows/commands.ts';
import type { CalendarRemoval } from '../bookings/calendars/calendar-removal.ts';
import { toHyphenated } from '../../core/languages.ts';
import { requireLanguage } from '../bots/bot-language.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { AccessNotices } from './access-notices.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { signalInvitation } from './invitation-commands.ts';
import { mergeOrgSettings, type OrgSettingsChanges } from './org-settings.ts';
import type { MemberScope } from './member-scope.ts';
import { requireRole } from './roles.ts';
import type { DescendantOrg } from '../../repositories/team/org.sql.ts';

/** Fields of a workspace in an API request that updates it; a missing field stays unchanged. */
export interface OrgUpdate {
  name?: string;
  is_active?: boolean;
  settings?: OrgSettingsChanges;
}

/** A workspace and all workspaces below it. */
export interface Hierarchy {
  top: DescendantOrg;
  /** All workspaces below the workspace `top`. Each follows its parent. */
  below: readonly DescendantOrg[];
  /** Version of the hierarchy; the version changes with every change of one of these workspaces. */
  version: string;
}

/** Values of the columns in a new top-level workspace, which has no parent and no plan yet. */
const INDEPENDENT = { planTier: 'free', parentOrgId: null, payerId: null } as const;

/**
 * Maximum number of top-level workspaces without a plan that an account may own. An agency should put its
 * clients below one workspace.
 */
export const MAX_FREE_OWNED = 5;
/**
 * Maximum number of workspaces that an account may create in a day. Creating more would only serve to
 * circumvent limits.
 */
export const MAX_CREATED_A_DAY = 10;
/** Maximum number of workspaces in a hierarchy without a plan. This number is enough to try the feature. */
export const MAX_FREE_HIERARCHY = 25;
const DAY_SECONDS = 24 * 60 * 60;

/**
 * Maximum number of workspaces in all cached hierarchies. 1,000 workspaces take about a megabyte with their
 * rendered text.
 */
const MAX_CACHED_ORGS = 20_000;

export interface OrgServiceDeps {
  orgs: OrgRepository;
  members: MemberRepository;
  rateWindows: RateWindowRepository;
  outbox: OutboxService;
  mail: MailService;
  accessNotices: Pick<AccessNotices, 'listOwners'>;
  calendars: Pick<CalendarRemoval, 'removeCurrent'>;
}

/**
 * Manages workspaces and their hierarchy (clients below an agency), which the database limits to five levels.
 */
export class OrgService {
  readonly #deps: OrgServiceDeps;
  /**
   * Cached hierarchies by the id of the top workspace. Before it uses a cached hierarchy, `getHierarchy`
   * compares the hierarchy's version with the database.
   */
  readonly #hierarchies = new LRUCache<string, Hierarchy>({
    maxSize: MAX_CACHED_ORGS,
    sizeCalculation: ({ below }) => below.length + 1,
  });

  constructor(deps: OrgServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Lists the workspaces of which a user is a member.
   * @param topId restricts the list to this workspace and the workspaces below it
   */
  list(db: Database, userId: string, topId: string | null): Promise<OrgWithRole[]> {
    return this.#deps.orgs.listByUser(db, userId, topId);
  }

  /**
   * Returns a workspace with the user's role in it.
   * @throws AppError `not_found`
   */
  async get(scope: OrgScope, userId: string): Promise<OrgWithRole> {
    const org = await this.#deps.orgs.find(scope, userId);
    if (!org) throw notFound('workspace');
    return org;
  }

  getSettings(scope: OrgScope): Promise<OrgSettings> {
    return this.#deps.orgs.getSettings(scope);
  }

  /**
   * Creates a top-level workspace that the account owns.
   * @throws AppError `quota_exceeded` and `rate_limited` at the account's limits
   */
  async create(db: Database, ownerId: string, name: string): Promise<OrgWithRole> {
    await this.#requireCapacity(db, ownerId);
    return this.get(await this.#insert(db, ownerId, { name, ...INDEPENDENT }), ownerId);
  }

  /** Creates the first workspace of a new account, in the transaction that creates the account. */
  async createFirst(db: Database, ownerId: string, name: string): Promise<void> {
    await this.#insert(db, ownerId, { name, ...INDEPENDENT }, true);
  }

  /**
   * Creates a workspace below another workspace, with the same plan. The creator owns the new workspace as
   * long as they may create workspaces below the other workspace.
   * @throws AppError `hierarchy_too_deep`, `quota_exceeded`, `validation_error`, `not_found`, `forbidden`
   */
  async createChild(parent: MemberScope, name: string): Promise<OrgWithRole> {
    const { orgs, members } = this.#deps;
    const { userId: ownerId } = parent;
    const role = await members.lockRoles(parent, ownerId);
    const parentOrg = await orgs.findUndeletedLocked(parent);
    if (!parentOrg) throw notFound('workspace');
    requireRole(role, 'admin');
    const { payerId } = parentOrg;
    const planTier = await orgs.getTierLocked(parent.db, payerId);
    if (planTier === 'free') await this.#requireCapacityBelow(parent.db, payerId);
    const org = { name, planTier, payerId, parentOrgId: parent.orgId };
    return this.get(await this.#insert(parent.db, ownerId, org), ownerId);
  }

  /** Locks the workspace, and the roles in it, for the rest of the transaction. */
  async lock(scope: MemberScope): Promise<void> {
    await this.#deps.members.lockRoles(scope, scope.userId);
  }

  /**
   * Updates a workspace.
   * @throws AppError `validation_error`; `forbidden` if a caller other than an owner deactivates or
   *   reactivates the workspace
   */
  async update(scope: MemberScope, { name, is_active: isActive, settings }: OrgUpdate): Promise<OrgWithRole> {
    if (isActive !== undefined && (await this.#deps.members.lockRoles(scope, scope.userId)) !== 'owner')
      throw new AppError('forbidden', 'Only an owner can deactivate or reactivate a workspace.', {
        subject: 'role owner',
      });
    requireLanguage(settings?.default_language, 'settings.default_language');
    const zone = settings?.time_zone && requireTimeZone(settings.time_zone, 'settings.time_zone');
    const language = settings?.default_language;
    const changes = settings && {
      ...settings,
      ...(zone && { time_zone: zone }),
      ...(language && { default_language: toHyphenated(language) }),
    };
    const merged = changes && mergeOrgSettings(await this.#deps.orgs.lockSettings(scope), changes);
    await this.#deps.orgs.update(scope, { name, isActive, settings: merged });
    return this.get(scope, scope.userId);
  }

  /**
   * Returns the workspace and all workspaces below it. Returns the same object until one of them changes.
   * @throws AppError `not_found`
   */
  async getHierarchy(scope: OrgScope): Promise<Hierarchy> {
    const { orgs } = this.#deps;
    const cached = this.#hierarchies.get(scope.orgId);
    const version = await orgs.getHierarchyVersion(scope);
    if (cached?.version === version) return cached;
    const [top, ...below] = await orgs.listHierarchy(scope);
    if (!top) throw notFound('workspace');
    // If a workspace changes between the two reads, the rows are newer than the version. The next call then
    // reads them again.
    const hierarchy: Hierarchy = { version, top, below };
    this.#hierarchies.set(scope.orgId, hierarchy);
    return hierarchy;
  }

  /**
   * Marks the workspace as deleted: with the commit, its keys and links become invalid. The workflow
   * `deleteOrg` removes its data. Other owners are informed by email, since the audit log is deleted as well.
   * @throws AppError `conflict` while the workspace has workspaces below it, `forbidden`
   */
  async delete(scope: MemberScope): Promise<Pick<Org, 'parentOrgId'>> {
    const { orgs, members, outbox, mail, calendars, accessNotices } = this.#deps;
    requireRole(await members.lockRoles(scope, scope.userId), 'owner');
    const { hasChildren } = await orgs.lockToDelete(scope);
    if (hasChildren) throw new AppError('conflict', 'This workspace has sub-workspaces; delete them first.');
    const { name: orgName, parentOrgId } = await this.get(scope, scope.userId);
    const by = await members.listNames(scope.db, [scope.userId]);
    for (const { userId, email: to, fullName: name } of await accessNotices.listOwners(scope)) {
      const data = { orgName, name, byName: by.get(scope.userId) ?? 'Someone' };
      if (userId !== scope.userId)
        await mail.send(scope.db, { to, userId, template: 'workspace_deleted', data });
    }
    for (const invitation of await orgs.markDeleted(scope))
      await outbox.command(scope, signalInvitation(invitation, 'revoke'));
    await calendars.removeCurrent(scope);
    await outbox.command(scope, {
      workflow: 'deleteOrg',
      action: 'start',
      workflowId: deleteOrgWorkflowId(scope.orgId),
      args: [{ orgId: scope.orgId }],
      summary: 'Remove all data of a deleted workspace',
    });
    return { parentOrgId };
  }

  /**
   * Checks how many workspaces the account owns and creates: each workspace has its own limits, so many
   * workspaces would circumvent the limits.
   */
  async #requireCapacity(db: Database, ownerId: string): Promise<void> {
    const { orgs, rateWindows } = this.#deps;
    await lockName(db, `free workspaces ${ownerId}`);
    if ((await orgs.countFreeOwned(db, ownerId)) >= MAX_FREE_OWNED)
      throw new AppError(
        'quota_exceeded',
        `You have reached the limit of ${MAX_FREE_OWNED} workspaces without a plan. Create this workspace below another workspace, delete a workspace, or choose a plan for a workspace.`,
        { subject: 'limit workspaces without a plan' },
      );
    const { used, reset } = await rateWindows.spendWithin(db, `workspaces-of:${ownerId}`, DAY_SECONDS);
    if (used > MAX_CREATED_A_DAY)
      throw new AppError(
        'rate_limited',
        `You have created ${MAX_CREATED_A_DAY} workspaces within a day; wait ${reset} s.`,
        { headers: { 'Retry-After': String(reset) }, subject: 'limit workspaces created per day' },
      );
  }

  async #requireCapacityBelow(db: Database, payerId: string): Promise<void> {
    await lockName(db, `free workspaces ${payerId}`);
    if ((await this.#deps.orgs.countPaidBy(db, payerId)) < MAX_FREE_HIERARCHY) return;
    throw new AppError(
      'quota_exceeded',
      `Without a plan, a hierarchy can have at most ${MAX_FREE_HIERARCHY} workspaces. Delete one, or have an owner of the topmost workspace choose a plan.`,
      { subject: 'limit workspaces without a plan' },
    );
  }

  async #insert(
    db: Database,
    ownerId: string,
    fields: Omit<NewOrg, 'id' | 'slug' | 'payerId'> & { payerId: string | null },
    isDefault = false,
  ): Promise<OrgScope> {
    const { orgs, members } = this.#deps;
    const id = newId();
    const org = { ...fields, payerId: fields.payerId ?? id };
    const slug = deriveSlug(org.name);
    for (let isNew = await orgs.insert(db, { ...org, id, slug }); !isNew;)
      isNew = await orgs.insert(db, { ...org, id, slug: `${slug}-${randomInt(1e9).toString(36)}` });
    const scope = { db, orgId: id };
    const isMaker = org.parentOrgId !== null;
    await members.insertOrIgnore(scope, { userId: ownerId, role: 'owner', isDefault, isMaker });
    return scope;
  }
}
