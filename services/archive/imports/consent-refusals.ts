import type { OrgScope } from '../../../database/org-scope.ts';
import type { VisitorConsent } from '../../../entities/contacts/visitor-consent.entity.ts';
import { hasRefused } from '../../../entities/conversations/conversation.entity.ts';
import type { ArchiveImportRepository } from '../../../repositories/archive/archive-import.repository.ts';
import { toVisitorKey, type Browser, type VisitorOfBot } from '../../../repositories/contacts/visitor.ts';

/** Statements of consent that the workspace has recorded for visitors in an archive. */
export interface ConsentRefusals {
  /**
   * Returns the consent that the workspace has recorded for this conversation. It takes precedence over the
   * archive's consent.
   */
  forConversation(conversationId: string): VisitorConsent | undefined;
  /** True if the visitor's newest statement refuses consent and is later than the export. */
  hasVisitorRefused(visitor: VisitorOfBot): boolean;
  /** True if the statement recorded for this conversation refuses consent and is later than the export. */
  isRefusedIn(conversationId: string): boolean;
}

/**
 * Loads the statements of consent of the visitors in an archive.
 * @param exportedAt time of the export; the archive itself contains the earlier statements
 */
export async function loadRefusals(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  exportedAt: Date,
  visitors: { ids: readonly string[]; browsers: readonly Browser[]; contactIds: readonly string[] },
): Promise<ConsentRefusals> {
  const statements = await rows.listConsents(scope, visitors);
  const last = new Map<string, VisitorConsent>();
  for (const each of statements) {
    const before = last.get(toVisitorKey(each));
    if (!before || isAfter(each, before)) last.set(toVisitorKey(each), each);
  }
  const byId = new Map(statements.map((each) => [each.id, each]));
  return {
    forConversation: (id) => byId.get(id),
    hasVisitorRefused: (visitor) => isRefusalAfter(last.get(toVisitorKey(visitor)), exportedAt),
    isRefusedIn: (id) => isRefusalAfter(byId.get(id), exportedAt),
  };
}

function isRefusalAfter(statement: VisitorConsent | undefined, exportedAt: Date): boolean {
  return statement !== undefined && hasRefused(statement.consent) && statement.saidAt > exportedAt;
}

function isAfter(a: VisitorConsent, b: VisitorConsent): boolean {
  return a.saidAt > b.saidAt || (a.saidAt.getTime() === b.saidAt.getTime() && a.id > b.id);
}
