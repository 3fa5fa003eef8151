import { Type, type Static } from '@sinclair/typebox';
import { contactLimits, EMAIL_PATTERN, PHONE_PATTERN } from '../../core/contacts/contact-details.ts';
import { DateTime, FreeForm, Nullable, PageParameters, Strict, Uuid } from '../http/schemas/schemas.ts';

export const ContactParams = Type.Object({ contact_id: Uuid('The contact.') });

const Tag = Type.String({ minLength: 1, maxLength: 100 });

const filters = {
  bot_id: Type.Optional(Uuid('Visitors of this bot.')),
  is_lead: Type.Optional(Type.Boolean({ description: 'Whether they have left contact details.' })),
  tag: Type.Optional({ ...Tag, description: 'One of their tags.' }),
  country: Type.Optional(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 code of their country.', examples: ['DE'] }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of the name, the e-mail address, the phone number, the visitor id or the identity.',
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
    id: Uuid('The contact’s id.'),
    bot_id: Uuid('The bot that the visitor talked to first.'),
    visitor_id: Type.String({ description: 'The page’s id of the visitor, from the first conversation.' }),
    identity: Nullable(
      Type.String({ description: 'The sub of the visitor’s identity tokens; null while nobody vouches.' }),
    ),
    name: Nullable(Type.String({ description: 'What the visitor is called.' })),
    email: Nullable(Type.String({ description: 'E-mail address.' })),
    email_verified: Type.Boolean({
      default: false,
      description: 'Whether the address comes from an identity token.',
    }),
    phone: Nullable(Type.String({ description: 'Phone number.' })),
    country: Nullable(Type.String({ description: 'ISO 3166 code of the country, where it is known.' })),
    custom_fields: FreeForm('Further details by the keys of their fields.'),
    tags: Type.Array(Type.String(), { description: 'Free labels, to filter lists by.' }),
    is_lead: Type.Boolean({ default: false, description: 'Whether the visitor has left contact details.' }),
    conversation_count: Type.Integer({ default: 0, description: 'Conversations, with all bots.' }),
    message_count: Type.Integer({ default: 0, description: 'Messages of both sides in all of them.' }),
    first_seen_at: DateTime('When the first conversation began.'),
    last_seen_at: DateTime('When the visitor was there last, to within a minute.'),
  },
  { $id: 'ContactRead', description: 'A visitor of a bot whose details are known.' },
);
export type ContactRead = Static<typeof ContactRead>;

export const ContactUpdate = Strict(
  {
    name: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: contactLimits.name,
          pattern: '\\S',
          description: 'What the visitor is called.',
          examples: ['Ada Lovelace'],
        }),
      ),
    ),
    email: Type.Optional(
      Nullable(
        Type.String({
          maxLength: contactLimits.email,
          pattern: EMAIL_PATTERN,
          description: 'E-mail address.',
          examples: ['ada@example.com'],
        }),
      ),
    ),
    phone: Type.Optional(
      Nullable(
        Type.String({
          maxLength: contactLimits.phone,
          pattern: PHONE_PATTERN,
          description: 'Phone number.',
          examples: ['+49 30 901820'],
        }),
      ),
    ),
    custom_fields: Type.Optional(FreeForm('Further details; replaces all that there are.')),
    tags: Type.Optional(
      Type.Array(Tag, { maxItems: 20, uniqueItems: true, description: 'Free labels, to filter lists by.' }),
    ),
    is_lead: Type.Optional(Type.Boolean({ description: 'Whether to count the visitor among the leads.' })),
  },
  { $id: 'ContactUpdate', description: 'The fields to change; null clears.' },
);
