import type { Contact } from '../client/types.ts';

/** Returns the display name of a contact. */
export function getContactName({ name, email, phone, visitor_id: visitorId }: Contact): string {
  return name ?? email ?? phone ?? `Visitor ${visitorId.slice(-4)}`;
}
