import type { OrgRole } from '../../entities/team/membership.entity.ts';

/** Whom a credential speaks for, as of now. */
export interface Holder {
  userId: string;
  /** The credential's own workspace; null for a session of somebody who belongs to none. */
  orgId: string | null;
  isOrgActive: boolean;
  role: OrgRole | null;
  keyId: string | null;
  sessionId: string | null;
  /** How long ago the person has signed in, which no refresh renews; null for a key. */
  provenSecondsAgo: number | null;
  /** What a key is limited to; nothing for a session, which has all that the role allows. */
  scopes: readonly string[];
  apiVersion: string | null;
  /** Of the workspace that the call acts in. */
  defaultLanguage: string | null;
  /** Whose budget of requests it spends; null where `orgId` is. */
  budgetId: string | null;
  /** What the credential may do in the workspace that the path names, if it names one. */
  reached: Reached | null;
}

interface Reached {
  orgId: string;
  isThere: boolean;
  role: OrgRole | null;
}
