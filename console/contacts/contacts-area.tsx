import { ContactPage } from './contact-page.tsx';
import { ContactsPage } from './contacts-page.tsx';

export interface ContactsAreaProps {
  id: string | undefined;
  filters: Record<string, string>;
}

/** Pages about contacts: the list, and one contact. */
export function ContactsArea({ id, filters }: ContactsAreaProps) {
  return id === undefined ? <ContactsPage filters={filters} /> : <ContactPage key={id} id={id} />;
}
