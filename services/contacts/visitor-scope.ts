import type { OrgScope } from '../../database/org-scope.ts';

export interface VisitorScope extends OrgScope {
  readonly botId: string;
  readonly conversationId: string;
}
