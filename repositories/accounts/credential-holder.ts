import type { OrgRole } from '../../entities/team/membership.entity.ts';

/** The account that uses a credential, with its permissions. */
export interface Holder {
  userId: string;
  /** Workspace of the API key or session; null for a session of a person without a workspace. */
  orgId: string | null;
  isOrgActive: boolean;
  role: OrgRole | null;
  keyId: string | null;
  sessionId: string | null;
  /** Seconds since the person signed in, which refreshing the session does not reset; null for an API key. */
  signedInSecondsAgo: number | null;
  /** Scopes of an API key. Empty for a session, which has all permissions of the person's role. */
  scopes: readonly string[];
  apiVersion: string | null;
  /** Default language of the workspace to which the request applies. */
  defaultLanguage: string | null;
  /** Workspace whose request limit applies; null if `orgId` is null. */
  budgetId: string | null;
  /** Access of the account to the workspace in the request's path; null if the path contains none. */
  pathAccess: PathOrgAccess | null;
}

interface PathOrgAccess {
  orgId: string;
  exists: boolean;
  role: OrgRole | null;
}
