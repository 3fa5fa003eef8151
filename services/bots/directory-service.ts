import type { Keyring } from '../../adapters/keys/keyring.ts';
import { AppError } from '../../core/errors/errors.ts';
import { isOutwardLink } from '../../core/text/page-address.ts';
import { normalizeText } from '../../core/text/normalize-text.ts';
import type { DirectoryConfig, DirectoryEntry } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import type { VisitorRepository, VisitorToken } from '../../repositories/conversations/visitor.repository.ts';
import type { LeadService } from '../contacts/lead-service.ts';
import { sessionExpired, sessionRemoved } from '../conversations/session-expired.ts';
import type { PageOrigin } from '../conversations/allowed-domains.ts';
import type { WidgetService } from '../conversations/widget-service.ts';
import type { VisitorScope } from '../contacts/visitor-scope.ts';

/** Choice that a visitor has written or picked. */
export interface DirectoryChoice {
  category?: string;
  choice: string;
}

export interface DirectoryServiceDeps {
  widget: WidgetService;
  leads: LeadService;
  visitors: VisitorRepository;
  keyring: Keyring;
}

/** Resolves visitors' choices in the directories of bots. */
export class DirectoryService {
  readonly #deps: DirectoryServiceDeps;

  constructor(deps: DirectoryServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the entry that matches the choice. With a session, stores it with the contact unless the visitor has refused
   * consent.
   * @throws AppError `not_found` if no entry matches or the directory is disabled; `unauthenticated` or `forbidden` for a
   *   token without a session of the bot; and `not_found` or `forbidden` for the public bot
   */
  async resolve(
    db: Database,
    publicKey: string,
    page: PageOrigin,
    { visitorToken, ...choice }: DirectoryChoice & { visitorToken: string | undefined },
  ): Promise<DirectoryEntry> {
    const { widget, leads } = this.#deps;
    const { id: botId, directoryConfig } = await widget.getPublicBot(db, publicKey, page);
    const scope = visitorToken === undefined ? null : await this.#requireSession(db, botId, visitorToken);
    if (!directoryConfig?.enabled) throw new AppError('not_found', 'The bot has no directory.');
    const entry = findDirectoryEntry(directoryConfig, choice);
    if (!entry) throw new AppError('not_found', 'The directory has no such choice in this category.');
    const resolved = { category: '', ...entry, link: toSafeLink(entry) };
    if (scope) await leads.storeChoice(scope, toChosenFields(directoryConfig, resolved));
    return resolved;
  }

  async #requireSession(db: Database, botId: string, visitorToken: string): Promise<VisitorScope> {
    const { keyring, visitors } = this.#deps;
    const token = keyring.verify<VisitorToken>('visitor-token', visitorToken);
    if (!token) throw sessionExpired();
    const [visitor] = await visitors.loadVisitors(db, [token.conversation_id]);
    if (!visitor) throw sessionRemoved();
    if (visitor.isExpired) throw sessionExpired();
    if (visitor.botId !== botId)
      throw new AppError('forbidden', 'The visitor token belongs to a session with another bot.');
    return { db, ...visitor };
  }
}

function toSafeLink({ link = '' }: DirectoryEntry): string {
  return isOutwardLink(link) ? link : '';
}

/** Returns the values of an entry by the contact fields that the bot maps them to, without unmapped and empty ones. */
function toChosenFields(
  { category_field = '', choice_field = '', result_field = '' }: DirectoryConfig,
  { category = '', name, link = '' }: DirectoryEntry,
): Record<string, string> {
  const values = [
    [category_field, category],
    [choice_field, name],
    [result_field, link],
  ] as const;
  return Object.fromEntries(values.filter(([field, value]) => field.trim() !== '' && value !== ''));
}

/** Accents distinguish names; capitals and the width of characters do not. */
const nameCollator = new Intl.Collator('und', { sensitivity: 'accent' });

/** Returns the first exact match, or else the first match that ignores case and spacing. */
function findDirectoryEntry(
  { entries = [] }: DirectoryConfig,
  { category = '', choice }: DirectoryChoice,
): DirectoryEntry | undefined {
  const exact = entries.find((entry) => entry.name === choice && (entry.category ?? '') === category);
  if (exact) return exact;
  const [name, group] = [normalizeName(choice), normalizeName(category)];
  return entries.find(
    (entry) =>
      nameCollator.compare(normalizeName(entry.name), name) === 0 &&
      nameCollator.compare(normalizeName(entry.category ?? ''), group) === 0,
  );
}

/** Normalizes spaces and Unicode. The collator would normalize in quadratic time for a run of combining marks. */
function normalizeName(text: string): string {
  return normalizeText(text.trim().replace(/\s+/g, ' '), 'NFD', Infinity);
}
