import { AppError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { orgRoles, type OrgRole } from '../../entities/membership.entity.ts';
import type { Database } from '../../entities/database.ts';

/** What every handler knows of its request. */
export interface RequestContext {
  readonly requestId: string;
  /** The address of the caller, as far as trusted proxies tell. */
  readonly ip: string;
  readonly origin: string | undefined;
  readonly version: string;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The operation's transaction for a write, the pool otherwise. */
  readonly db: Database;
}

/** A call with an API key: it acts in the key's workspace with the key's scopes and its creator's present role. */
export interface KeyContext extends RequestContext {
  readonly orgId: string;
  readonly userId: string;
  readonly keyId: string;
  readonly role: OrgRole;
  readonly scopes: readonly string[];
}

/** A call of the widget on behalf of a visitor, limited to one conversation. */
export interface VisitorContext extends RequestContext {
  readonly orgId: string;
  readonly botId: string;
  readonly conversationId: string;
  readonly visitorId: string;
  readonly botMessagesPerMinute: number;
}

export type AuthKind = 'key' | 'visitor' | 'public';

export type ContextOf<A extends AuthKind> = A extends 'key'
  ? KeyContext
  : A extends 'visitor'
    ? VisitorContext
    : RequestContext;

/** Who a request is attributed to. */
export interface Caller {
  readonly principal: { readonly type: 'key' | 'visitor' | 'address'; readonly id: string };
  readonly orgId?: string;
}

/** @param known a context, or as much of one as is known by now */
export function callerOf(
  known:
    | Pick<KeyContext, 'keyId' | 'orgId'>
    | Pick<VisitorContext, 'conversationId' | 'orgId'>
    | Pick<RequestContext, 'ip'>,
): Caller {
  if ('keyId' in known) return { principal: { type: 'key', id: known.keyId }, orgId: known.orgId };
  if ('conversationId' in known)
    return { principal: { type: 'visitor', id: known.conversationId }, orgId: known.orgId };
  return { principal: { type: 'address', id: known.ip } };
}

/** Whether a role has at least the rights of another. */
export function hasRole(actual: OrgRole, needed: OrgRole): boolean {
  return orgRoles.indexOf(actual) <= orgRoles.indexOf(needed);
}

/** @throws AppError `forbidden` for a role with fewer rights */
export function requireRole(actual: OrgRole, needed: OrgRole): void {
  if (!hasRole(actual, needed)) {
    throw new AppError('forbidden', `This needs the role ${needed}; the key's creator is ${actual}.`);
  }
}
