import type { OrgRole } from '../../../entities/team/membership.entity.ts';
import type { Database } from '../../../database/database.ts';

/** Context of every request. */
export interface RequestContext {
  readonly requestId: string;
  /** Address of the caller according to trusted proxies. */
  readonly ip: string;
  readonly origin: string | undefined;
  readonly version: string;
  /** The operation's transaction for a write, the pool otherwise. */
  readonly db: Database;
}

/** A caller with an API key or a session. */
interface PersonContext extends RequestContext {
  readonly userId: string;
  readonly keyId: string | null;
  readonly sessionId: string | null;
  /** Whether the person signed in within the last minutes; false for API keys. */
  readonly isProven: boolean;
  /** Scopes of an API key; undefined for a session, which has all rights of its role. */
  readonly scopes: readonly string[];
}

/** A call with an API key or of a signed-in person, in one workspace, with the person's present role there. */
export interface MemberContext extends PersonContext {
  readonly orgId: string;
  readonly role: OrgRole;
  /** Default language of the workspace's bots. */
  readonly defaultLanguage: string | null;
}

/** A call of a signed-in person, in one workspace. */
interface SessionContext extends MemberContext {
  readonly keyId: null;
  readonly sessionId: string;
}

/** A call with an API key or of a signed-in person, who may belong to no workspace. */
export interface UserContext extends PersonContext {
  readonly orgId: string | null;
  readonly role: OrgRole | null;
}

/** A call of a signed-in person about the own account. */
interface AccountContext extends UserContext {
  readonly keyId: null;
  readonly sessionId: string;
}

/** A call of the widget on behalf of a visitor, limited to one conversation. */
export interface VisitorContext extends RequestContext {
  readonly orgId: string;
  readonly botId: string;
  readonly conversationId: string;
  readonly visitorId: string;
  readonly botMessagesPerMinute: number;
}

/**
 * Callers that an operation accepts. `member`: an API key with its scope, or a signed-in person, with its role.
 * `session`: a signed-in person with its role. `account`: a signed-in person. `user`: a signed-in person, or a
 * key, with its scope if it has one. If the path has `{org_id}`, that is the workspace.
 */
export type AuthKind = 'member' | 'session' | 'account' | 'user' | 'visitor' | 'public';

interface Contexts {
  member: MemberContext;
  session: SessionContext;
  account: AccountContext;
  user: UserContext;
  visitor: VisitorContext;
  public: RequestContext;
}

export type ContextOf<A extends AuthKind> = Contexts[A];

/** The caller to whom a request is attributed. */
export interface Caller {
  readonly principal: { readonly type: 'key' | 'user' | 'visitor' | 'address'; readonly id: string };
  readonly orgId?: string;
}

/** @param known context, or the part of it that is known so far */
export function toCaller(
  known:
    | Pick<UserContext, 'userId' | 'keyId' | 'orgId'>
    | Pick<VisitorContext, 'conversationId' | 'orgId'>
    | Pick<RequestContext, 'ip'>,
): Caller {
  if ('userId' in known) {
    const { keyId, userId, orgId } = known;
    const principal = keyId === null ? { type: 'user', id: userId } : { type: 'key', id: keyId };
    return { principal, ...(orgId !== null && { orgId }) } as Caller;
  }
  if ('conversationId' in known)
    return { principal: { type: 'visitor', id: known.conversationId }, orgId: known.orgId };
  return { principal: { type: 'address', id: known.ip } };
}
