import type { OrgScope } from '../../database/org-scope.ts';

/**
 * Workspace and database access of a request, with the member who makes it. `keyId` is null for a signed-in
 * member.
 */
export interface MemberScope extends OrgScope {
  readonly userId: string;
  readonly keyId: string | null;
}
