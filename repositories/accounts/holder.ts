import type { OrgRole } from '../../entities/team/membership.entity.ts';

/** The account and permissions of a credential. */
export interface Holder {
  userId: string;
  /** The credential's own workspace; null for a session of a person without a workspace. */
  orgId: string | null;
  isOrgActive: boolean;
  role: OrgRole | null;
  keyId: string | null;
  sessionId: string | null;
  /** Seconds since the sign-in, which no refresh resets; null for a key. */
  signedInSecondsAgo: number | null;
  /** Scopes of an API key; empty for a session, which has all permissions of the role. */
  scopes: readonly string[];
  apiVersion: string | null;
  /** Default language of the workspace that the request addresses. */
  defaultLanguage: string | null;
  /** Workspace whose request budget is spent; null if `orgId` is null. */
  budgetId: string | null;
  /** Access to the workspace that the path names; null if it names none. */
  pathAccess: PathOrgAccess | null;
}

interface PathOrgAccess {
  orgId: string;
  exists: boolean;
  role: OrgRole | null;
}
