import type { Contact } from '../client/types.ts';
import { capitalize } from '../components/text/capitalize.ts';
import { Facts } from '../components/lists/facts.tsx';
import { RelativeTime } from '../components/text/relative-time.tsx';

const countries = new Intl.DisplayNames('en', { type: 'region' });

export interface ContactFactsProps {
  contact: Contact;
  /** Whether to omit email and counts, because the name and email are shown above. */
  isShort?: boolean;
}

export function ContactFacts({ contact, isShort = false }: ContactFactsProps) {
  const { email, phone, country, tags } = contact;
  return (
    <Facts
      facts={[
        [
          'Email',
          isShort || email === null ? null : (
            <a key="email" href={`mailto:${email}`}>
              {email}
            </a>
          ),
        ],
        [
          'Phone',
          phone && (
            <a key="phone" href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
              {phone}
            </a>
          ),
        ],
        ['Lead', isShort && contact.is_lead ? 'Yes' : null],
        ['Country', country && (countries.of(country) ?? country)],
        ['Tags', tags.length === 0 ? null : <Tags key="tags" tags={tags} />],
        ...Object.entries(contact.custom_fields).map(
          ([name, value]) => [capitalize(name), String(value)] as const,
        ),
        ['Verified as', contact.identity],
        ['First seen', <RelativeTime key="first" at={contact.first_seen_at} />],
        ['Last seen', <RelativeTime key="last" at={contact.last_seen_at} />],
        ['Conversations', isShort ? null : String(contact.conversation_count)],
        ['Messages', isShort ? null : String(contact.message_count)],
      ]}
    />
  );
}

export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className="tag-list">
      {tags.map((tag) => (
        <span key={tag} className="tag" dir="auto">
          {tag}
        </span>
      ))}
    </span>
  );
}
