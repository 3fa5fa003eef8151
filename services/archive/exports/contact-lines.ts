import type { Opened } from '../../../database/sealed-columns.ts';
import type { ArchiveJobError } from '../../../entities/archive/archive-job.entity.ts';
import type { Contact } from '../../../entities/contacts/contact.entity.ts';
import { toContactRecord, fitsArchive, toArchiveLine } from './archive-record-mapping.ts';

/** Contacts as lines of an export's archive, and errors for contacts that exceed the archive's limits. */
export interface RenderedContacts {
  lines: Buffer[];
  errors: ArchiveJobError[];
}

export function renderContacts(contacts: readonly Opened<Contact>[]): RenderedContacts {
  const rendered: RenderedContacts = { lines: [], errors: [] };
  for (const contact of contacts) {
    const line = toArchiveLine(toContactRecord(contact));
    if (fitsArchive(line)) rendered.lines.push(line);
    else rendered.errors.push(tooLarge(contact));
  }
  return rendered;
}

function tooLarge({ id }: Pick<Contact, 'id'>): ArchiveJobError {
  const message =
    'The contact was skipped: it is too long for a line of an archive, or its custom fields are nested too deeply.';
  return { line: null, id, code: 'contact_too_large', message };
}
