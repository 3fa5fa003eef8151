import type { OrgScope } from '../../database/org-scope.ts';

/** Scope of a member who calls the API, signed in or with an API key. */
export interface MemberScope extends OrgScope {
  readonly userId: string;
  readonly keyId: string | null;
}
