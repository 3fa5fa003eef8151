import { csvLine } from '../../core/text/csv.ts';
import type { KnownContact } from '../../services/contacts/contacts.service.ts';
import type { ContactRead } from './contacts.schemas.ts';

export function presentContact({ contact, activity }: KnownContact): ContactRead {
  return {
    id: contact.id,
    bot_id: contact.botId,
    visitor_id: contact.visitorId,
    identity: contact.identity,
    name: contact.name,
    email: contact.email,
    email_verified: contact.isEmailVerified,
    phone: contact.phone,
    country: contact.country,
    custom_fields: contact.customFields,
    tags: contact.tags,
    is_lead: contact.isLead,
    conversation_count: activity.conversationCount,
    message_count: activity.messageCount,
    first_seen_at: contact.firstSeenAt.toISOString(),
    last_seen_at: activity.lastSeenAt.toISOString(),
  };
}

const CSV_COLUMNS = [
  'id',
  'bot_id',
  'visitor_id',
  'name',
  'email',
  'phone',
  'country',
  'is_lead',
  'tags',
  'conversation_count',
  'message_count',
  'first_seen_at',
  'last_seen_at',
  'custom_fields',
] as const satisfies (keyof ContactRead)[];

/** A CSV file (RFC 4180) in pieces, with a line of names first. */
export async function* contactsCsv(batches: AsyncIterable<KnownContact[]>): AsyncGenerator<string> {
  yield csvLine(CSV_COLUMNS);
  for await (const batch of batches) {
    yield batch.map((known) => csvLine(cellsOf(presentContact(known)))).join('');
  }
}

function cellsOf(contact: ContactRead): (string | number | boolean | null)[] {
  const flat = {
    ...contact,
    tags: contact.tags.join(', '),
    custom_fields: JSON.stringify(contact.custom_fields),
  };
  return CSV_COLUMNS.map((column) => flat[column]);
}
