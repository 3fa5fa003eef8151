import type { OrgScope } from '../../database/org-scope.ts';

/** A member at work in the workspace, in person or by a key. */
export interface MemberScope extends OrgScope {
  readonly userId: string;
  readonly keyId: string | null;
}
