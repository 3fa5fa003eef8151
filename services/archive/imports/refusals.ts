import type { OrgScope } from '../../../database/org-scope.ts';
import type { VisitorConsent } from '../../../entities/contacts/visitor-consent.entity.ts';
import { hasRefused } from '../../../entities/conversations/conversation.entity.ts';
import type { ArchiveImportRepository } from '../../../repositories/archive/archive-import.repository.ts';
import { keyOf, type Browser, type VisitorOfBot } from '../../../repositories/contacts/visitor.ts';

/** What visitors have said of consent, here. */
export interface Refusals {
  /** What was said in the conversation, which counts for it whatever an archive says. */
  of(conversationId: string): VisitorConsent | undefined;
  /** Whether the last word of the visitor is a refusal that the archive does not know of. */
  isOf(visitor: VisitorOfBot): boolean;
  /** The same of what was said in the conversation. */
  isIn(conversationId: string): boolean;
}

/** @param exportedAt when the archive was made, which has what was said before */
export async function refusedAfter(
  rows: ArchiveImportRepository,
  scope: OrgScope,
  exportedAt: Date,
  asked: { ids: readonly string[]; browsers: readonly Browser[]; contactIds: readonly string[] },
): Promise<Refusals> {
  const said = await rows.listConsents(scope, asked);
  const last = new Map<string, VisitorConsent>();
  for (const each of said) {
    const before = last.get(keyOf(each));
    if (!before || isAfter(each, before)) last.set(keyOf(each), each);
  }
  const byId = new Map(said.map((each) => [each.id, each]));
  return {
    of: (id) => byId.get(id),
    isOf: (visitor) => isUnknownRefusal(last.get(keyOf(visitor)), exportedAt),
    isIn: (id) => isUnknownRefusal(byId.get(id), exportedAt),
  };
}

function isUnknownRefusal(word: VisitorConsent | undefined, exportedAt: Date): boolean {
  return word !== undefined && hasRefused(word.consent) && word.saidAt > exportedAt;
}

function isAfter(a: VisitorConsent, b: VisitorConsent): boolean {
  return a.saidAt > b.saidAt || (a.saidAt.getTime() === b.saidAt.getTime() && a.id > b.id);
}
