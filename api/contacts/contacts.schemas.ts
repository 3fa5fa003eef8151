import { Type, type Static } from '@sinclair/typebox';
import { ResourceId } from '../http/schemas/named-resource.ts';
import { DateTime, PageParameters, Strict, Uuid } from '../http/schemas/schemas.ts';
import { contact } from './contact.resource.ts';

export const ContactParams = Type.Object({ contact_id: Uuid('The contact.') });

const filters = {
  bot_id: Type.Optional(ResourceId('bot', 'Only visitors of this bot.')),
  is_lead: Type.Optional(
    Type.Boolean({ description: 'Filter by whether the visitor has left contact details.' }),
  ),
  tag: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only contacts with this tag.' }),
  ),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{2}$',
      description: 'ISO 3166 code of the contact’s country.',
      examples: ['DE'],
    }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of the name, the email address, the phone number, the visitor id or the identity.',
    }),
  ),
};

export const ContactListQuery = Type.Object(
  { ...PageParameters, ...filters },
  { additionalProperties: false },
);
export const ContactExportQuery = Type.Object(filters, { additionalProperties: false });

export const ContactRead = Type.Object(
  {
    ...contact.read,
    conversation_count: Type.Integer({
      default: 0,
      description: 'Sessions with all bots, including those without a visitor message.',
    }),
    message_count: Type.Integer({
      default: 0,
      description: 'Messages from both sides in all sessions of the visitor.',
    }),
    last_seen_at: DateTime('Time of the visitor’s last activity, to the minute.'),
  },
  { $id: 'ContactRead', description: 'A bot’s visitor whose contact details are known.' },
);
export type ContactRead = Static<typeof ContactRead>;

export const ContactUpdate = Strict(contact.update, {
  $id: 'ContactUpdate',
  description: 'The fields to change; null clears a field.',
});
