import type { Keyring } from '../../adapters/keys/keyring.ts';
import { learnedDetails, MAX_CUSTOM_FIELDS_BYTES } from '../../core/contacts/contact-details.ts';
import { isEmailAddress } from '../../core/contacts/email-address.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { groupItems } from '../../core/group-items.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import type { ContactFilters } from '../../repositories/contacts/contact.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { TextSearches } from '../conversations/text-searches.ts';
import {
  changeContact,
  toCustomFieldName,
  type ContactChangeDeps,
  type ContactChanges,
} from './contact-changes.ts';
import type { ContactActivity } from '../../repositories/contacts/contact.sql.ts';

/** A contact with counts and times of its conversations. */
export interface ContactWithActivity {
  contact: Opened<Contact>;
  activity: ContactActivity;
}

/** A contact with everything that is stored about it. */
export interface ExportedContact extends ContactWithActivity {
  bookings: Opened<Booking>[];
}

export interface ContactServiceDeps extends ContactChangeDeps {
  bookings: BookingRepository;
  keyring: Keyring;
  searches: TextSearches;
}

/**
 * Number of contacts in one batch of an export. Each contact may have 16 KB of custom fields, and the fields
 * of a whole batch are parsed at once.
 */
const EXPORT_BATCH = 100;

/** Lists, exports and edits the contacts of a workspace. */
export class ContactService {
  readonly #deps: ContactServiceDeps;

  constructor(deps: ContactServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a page of the workspace's contacts.
   * @throws AppError `rate_limited` if the workspace runs many text searches at once; `validation_error` if
   *   the text search takes too long
   */
  async list(scope: OrgScope, query: PageQuery & ContactFilters): Promise<Page<ContactWithActivity>> {
    const { contacts, keyring, searches } = this.#deps;
    const listPage = (each: OrgScope) => readPage(contacts.queryContacts(each, query), query, keyring);
    const page = await (query.q === undefined ? listPage(scope) : searches.run(scope, listPage));
    return { ...page, items: await this.#withActivity(scope, page.items) };
  }

  /**
   * Yields, in batches and newest first, all contacts that match the filters. A text search runs before the first
   * batch, so that a failing export sends no data.
   * @throws AppError `rate_limited` or `validation_error` for a text search, as `list` does
   */
  async exportAll(scope: OrgScope, filters: ContactFilters): Promise<AsyncGenerator<ExportedContact[]>> {
    if (filters.q === undefined) return this.#exportPages(scope, filters);
    const ids = await this.#deps.searches.run(scope, (tx) => this.#deps.contacts.listIds(tx, filters));
    return this.#exportByIds(scope, ids);
  }

  /** Yields all contacts of the workspace page by page, without repeating or skipping any. */
  async *#exportPages(scope: OrgScope, filters: ContactFilters): AsyncGenerator<ExportedContact[]> {
    let cursor: string | null = null;
    do {
      const next = cursor === null ? {} : { cursor };
      const page: Page<ContactWithActivity> = await this.list(scope, {
        ...filters,
        ...next,
        page_size: EXPORT_BATCH,
      });
      yield this.#withBookings(scope, page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** Yields the contacts with these ids, in this order. Contacts deleted meanwhile are omitted. */
  async *#exportByIds(scope: OrgScope, ids: readonly string[]): AsyncGenerator<ExportedContact[]> {
    for (let from = 0; from < ids.length; from += EXPORT_BATCH) {
      const batch = ids.slice(from, from + EXPORT_BATCH);
      const contacts = await this.#withActivity(scope, await this.#deps.contacts.listByIds(scope, batch));
      yield this.#withBookings(scope, contacts);
    }
  }

  async get(scope: OrgScope, contactId: string): Promise<ContactWithActivity> {
    const contact = await this.#deps.contacts.get(scope, contactId);
    const [known] = await this.#withActivity(scope, [contact]);
    return known ?? this.#deps.contacts.throwMissing(scope, contactId);
  }

  /**
   * Stores changes to a contact, and emits `contact.updated` if anything has changed.
   * @throws AppError `conflict` for details of a visitor who has refused consent; `validation_error` for
   *   custom fields that are too large or an invalid email address
   */
  async update(scope: OrgScope, contactId: string, changes: ContactChanges): Promise<ContactWithActivity> {
    requireSmallFields(changes.custom_fields);
    const { contacts } = this.#deps;
    const contact = await contacts.open(scope, await contacts.lock(scope, contactId));
    const isNewEmail = changes.email !== undefined && changes.email !== contact.email;
    if (isNewEmail && changes.email && !isEmailAddress(changes.email))
      throw invalidField('email', 'must be an email address such as ada@example.com');
    const applied = { ...changes, ...(isNewEmail && { email_verified: false }) };
    await changeContact(this.#deps, scope, contact, applied, contact);
    await contacts.update(scope, contactId, { removedFields: collectRemovedFields(contact, changes) });
    return this.get(scope, contactId);
  }

  async #withBookings(scope: OrgScope, known: ContactWithActivity[]): Promise<ExportedContact[]> {
    const ids = known.map(({ contact }) => contact.id);
    const bookings = ids.length > 0 ? await this.#deps.bookings.listByContacts(scope, ids) : [];
    const byContact = new Map(groupItems(bookings, ({ contactId }) => contactId ?? ''));
    return known.map((each) => ({ ...each, bookings: byContact.get(each.contact.id) ?? [] }));
  }

  /**
   * Adds the counts and times of its conversations to each contact. Contacts deleted meanwhile are omitted.
   */
  async #withActivity(scope: OrgScope, contacts: Contact[]): Promise<ContactWithActivity[]> {
    if (contacts.length === 0) return [];
    const activities = await this.#deps.contacts.listActivity(
      scope,
      contacts.map(({ id }) => id),
    );
    const opened = await this.#deps.contacts.openAll(scope, contacts);
    return opened.flatMap((contact) => {
      const activity = activities.get(contact.id);
      return activity ? [{ contact, activity }] : [];
    });
  }
}

function requireSmallFields(customFields: object = {}): void {
  if (Buffer.byteLength(JSON.stringify(customFields)) > MAX_CUSTOM_FIELDS_BYTES)
    throw invalidField('custom_fields', `must have at most ${MAX_CUSTOM_FIELDS_BYTES} bytes as JSON`);
}

/**
 * Returns the names of all fields of a contact that the team has removed, now or earlier. Fields that are set
 * again are not included.
 */
function collectRemovedFields(contact: Opened<Contact>, changes: ContactChanges): string[] {
  const removed = new Set(contact.removedFields);
  for (const detail of learnedDetails) {
    if (typeof changes[detail] === 'string') removed.delete(detail);
    else if (changes[detail] === null && contact[detail] !== null) removed.add(detail);
  }
  const fields = changes.custom_fields ?? contact.customFields;
  for (const key of Object.keys(contact.customFields))
    if (!Object.hasOwn(fields, key)) removed.add(toCustomFieldName(key));
  for (const key of Object.keys(fields)) removed.delete(toCustomFieldName(key));
  return [...removed];
}
