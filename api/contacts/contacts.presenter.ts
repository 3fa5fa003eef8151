import { pauseIfDue } from '../../core/concurrency/loop-slices.ts';
import { listIncludedNames } from '../../core/included-names.ts';
import { formatCsvLine } from '../../core/text/csv.ts';
import type { ExportedContact, ContactWithActivity } from '../../services/contacts/contact-service.ts';
import { presentBooking } from '../bookings/bookings.presenter.ts';
import { contact as resource } from './contact.resource.ts';
import type { ContactRead } from './contacts.schemas.ts';

export function presentContact({ contact, activity }: ContactWithActivity): ContactRead {
  return {
    ...resource.present(contact),
    conversation_count: activity.conversationCount,
    message_count: activity.messageCount,
    last_seen_at: activity.lastSeenAt.toISOString(),
  };
}

/**
 * Minimum number of characters in a chunk of a contact export: sending a small export in a single chunk is
 * faster.
 */
const MIN_CHUNK_LENGTH = 64 * 1024;

/** Whether the CSV file has a column for a contact's field, in the order of the columns. */
const hasColumn = {
  id: true,
  bot_id: true,
  visitor_id: true,
  name: true,
  email: true,
  phone: true,
  country: true,
  is_lead: true,
  tags: true,
  conversation_count: true,
  message_count: true,
  first_seen_at: true,
  last_seen_at: true,
  custom_fields: true,
  identity: false,
  email_verified: false,
} as const satisfies Record<keyof ContactRead, boolean>;
const CSV_COLUMNS = listIncludedNames(hasColumn);
/** Name of the CSV column with the contact's bookings, as JSON. */
const BOOKINGS = 'bookings';

/** Yields an export of contacts as CSV (RFC 4180) with a header row. */
export async function* contactsCsv(batches: AsyncIterable<ExportedContact[]>): AsyncGenerator<string> {
  // Yields to the event loop within a batch of the export: 500 contacts may have 16 KB of custom fields each.
  yield formatCsvLine([...CSV_COLUMNS, BOOKINGS]);
  for await (const batch of batches) {
    let text = '';
    for (const known of batch) {
      text += formatCsvLine([...toCells(presentContact(known)), formatBookings(known)]);
      await pauseIfDue();
      if (text.length <= MIN_CHUNK_LENGTH) continue;
      yield text;
      text = '';
    }
    yield text;
  }
}

function toCells(contact: ContactRead): (string | number | boolean | null)[] {
  const flat = {
    ...contact,
    tags: contact.tags.join(', '),
    custom_fields: JSON.stringify(contact.custom_fields),
  };
  return CSV_COLUMNS.map((column) => flat[column]);
}

function formatBookings({ bookings }: ExportedContact): string {
  return JSON.stringify(
    bookings.map(presentBooking).map(({ id, status, start, end, summary, description, ...booking }) => ({
      id,
      status,
      start,
      end,
      summary,
      description,
      attendee_name: booking.attendee_name,
      attendee_email: booking.attendee_email,
    })),
  );
}
