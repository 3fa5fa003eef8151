import type { OrgRole } from '../../../entities/team/membership.entity.ts';
import type { Database } from '../../../database/database.ts';

/** The part of a handler's context that every request has. */
export interface RequestContext {
  readonly requestId: string;
  /** IP address of the caller, as reported by trusted proxies. */
  readonly ip: string;
  readonly origin: string | undefined;
  readonly version: string;
  /** The transaction of an operation that writes; the connection pool for any other operation. */
  readonly db: Database;
}

/** Context of a request with an API key or by a signed-in person. */
interface PersonContext extends RequestContext {
  readonly userId: string;
  readonly keyId: string | null;
  readonly sessionId: string | null;
  /** True if the person signed in within the last few minutes; false for API keys. */
  readonly hasFreshProof: boolean;
  /** Scopes of an API key. Ignored for sessions, which have all rights of their role. */
  readonly scopes: readonly string[];
}

/**
 * Context of a request with an API key or by a signed-in person, in one workspace. `role` is the person's
 * current role in that workspace.
 */
export interface MemberContext extends PersonContext {
  readonly orgId: string;
  readonly role: OrgRole;
  /** Default language of new bots in the workspace. */
  readonly defaultLanguage: string | null;
}

/** Context of a request by a signed-in person in one workspace; API keys are not accepted. */
interface SessionContext extends MemberContext {
  readonly keyId: null;
  readonly sessionId: string;
}

/** Context of a request with an API key or by a signed-in person, who may belong to no workspace. */
export interface UserContext extends PersonContext {
  readonly orgId: string | null;
  readonly role: OrgRole | null;
}

/** Context of a request by a signed-in person about their own account. */
interface AccountContext extends UserContext {
  readonly keyId: null;
  readonly sessionId: string;
}

/** Context of a request by the widget for a visitor, limited to one conversation. */
export interface VisitorContext extends RequestContext {
  readonly orgId: string;
  readonly botId: string;
  readonly conversationId: string;
  readonly visitorId: string;
  readonly botMessagesPerMinute: number;
}

/**
 * Callers that an operation accepts.
 * - `member`: API keys with the scope, and signed-in people with the role, in a workspace.
 * - `session`: signed-in people with the role in a workspace.
 * - `account`: signed-in people.
 * - `user`: signed-in people, and API keys with the scope, if the operation has one.
 * - `visitor`: visitors with a token of their conversation.
 * - `public`: everyone.
 *
 * The workspace is the one in the path (`{org_id}`), or the credential's workspace if the path has none.
 */
export type AuthKind = 'member' | 'session' | 'account' | 'user' | 'visitor' | 'public';

/** Returns whether people outside of the team get an operation's responses: visitors or the public. */
export function isPublicFacing(auth: AuthKind): boolean {
  return auth === 'visitor' || auth === 'public';
}

interface Contexts {
  member: MemberContext;
  session: SessionContext;
  account: AccountContext;
  user: UserContext;
  visitor: VisitorContext;
  public: RequestContext;
}

export type ContextOf<A extends AuthKind> = Contexts[A];

/**
 * The identity (key, user, visitor or IP address) and the workspace to which logs and limits attribute a
 * request.
 */
export interface Caller {
  readonly principal: { readonly type: 'key' | 'user' | 'visitor' | 'address'; readonly id: string };
  readonly orgId?: string;
}

/**
 * Returns the caller of a request.
 * @param known context of the request, or the part that is known so far
 */
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
