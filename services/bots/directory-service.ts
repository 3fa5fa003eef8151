import type { Keyring } from '../../adapters/keys/keyring.ts';
import { pauseIfDue } from '../../core/concurrency/loop-slices.ts';
import { AppError } from '../../core/errors/errors.ts';
import { isOutwardLink } from '../../core/text/page-address.ts';
import { normalizeText } from '../../core/text/normalize-text.ts';
import type { DirectoryConfig, DirectoryEntry } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import type { VisitorRepository, VisitorToken } from '../../repositories/conversations/visitor.repository.ts';
import type { LeadService } from '../contacts/lead-service.ts';
import { createSessionExpiredError, createSessionRemovedError } from '../conversations/session-errors.ts';
import type { PageOrigin } from '../conversations/allowed-domains.ts';
import type { WidgetService } from '../conversations/widget-service.ts';
import type { VisitorScope } from '../contacts/visitor-scope.ts';

/** Name of an entry in a bot's directory, as the visitor has typed or selected it. */
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

/** Finds the entries of a bot's directory that visitors have chosen. */
export class DirectoryService {
  readonly #deps: DirectoryServiceDeps;

  constructor(deps: DirectoryServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the directory entry that matches the visitor's choice. If the request has a visitor token, also
   * stores the entry with the contact. If the visitor has refused consent, does not store it.
   * @throws AppError `not_found` if no entry matches or the bot has no directory; `unauthenticated` or
   *   `forbidden` for an invalid visitor token; `not_found` or `forbidden` for the bot
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
    const entry = await findDirectoryEntry(directoryConfig, choice);
    if (!entry) throw new AppError('not_found', 'The directory has no such choice in this category.');
    const resolved = { category: '', ...entry, link: toSafeLink(entry) };
    if (scope) await leads.storeChoice(scope, toChosenFields(directoryConfig, resolved));
    return resolved;
  }

  async #requireSession(db: Database, botId: string, visitorToken: string): Promise<VisitorScope> {
    const { keyring, visitors } = this.#deps;
    const token = keyring.verify<VisitorToken>('visitor-token', visitorToken);
    if (!token) throw createSessionExpiredError();
    const [visitor] = await visitors.loadVisitors(db, [token.conversation_id]);
    if (!visitor) throw createSessionRemovedError();
    if (visitor.isExpired) throw createSessionExpiredError();
    if (visitor.botId !== botId)
      throw new AppError('forbidden', 'The visitor token belongs to a session with another bot.');
    return { db, ...visitor };
  }
}

function toSafeLink({ link = '' }: DirectoryEntry): string {
  return isOutwardLink(link) ? link : '';
}

/**
 * Maps the values of a directory entry to the contact fields that the bot is configured to fill. Omits empty
 * values.
 */
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

/** Compares names of directory entries without regard to case and character width. Accents matter. */
const nameCollator = new Intl.Collator('und', { sensitivity: 'accent' });

/**
 * Returns the directory entry with exactly this name and category. If no entry matches, compares again
 * without case and spacing. Yields to the event loop between entries, since anyone may ask, and many may ask
 * at once.
 */
async function findDirectoryEntry(
  { entries = [] }: DirectoryConfig,
  { category = '', choice }: DirectoryChoice,
): Promise<DirectoryEntry | undefined> {
  const exact = entries.find((entry) => entry.name === choice && (entry.category ?? '') === category);
  if (exact) return exact;
  const [name, group] = [normalizeName(choice), normalizeName(category)];
  for (const entry of entries) {
    await pauseIfDue();
    if (
      nameCollator.compare(normalizeName(entry.name), name) === 0 &&
      nameCollator.compare(normalizeName(entry.category ?? ''), group) === 0
    )
      return entry;
  }
  return undefined;
}

/**
 * Normalizes spaces and Unicode in the name of a directory entry. Without this, a long run of combining marks
 * would take the collator quadratic time.
 */
function normalizeName(text: string): string {
  return normalizeText(text.trim().replace(/\s+/g, ' '), 'NFD', Infinity);
}
