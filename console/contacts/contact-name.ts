import type { ContactRead } from '../client/types.ts';

/** Returns the display name of a contact. */
export function getContactName({ name, email, phone, visitor_id: visitorId }: ContactRead): string {
  return name ?? email ?? phone ?? `Visitor ${visitorId.slice(-4)}`;
}
