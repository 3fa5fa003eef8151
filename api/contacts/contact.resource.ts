import { Type } from '@sinclair/typebox';
import { contactLimits, EMAIL_PATTERN, PHONE_PATTERN } from '../../core/contacts/contact-details.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { ContactChanges } from '../../services/contacts/contact-changes.ts';
import { createFieldFactories, createResourceFactory } from '../http/schemas/resource.ts';
import { DateTime, FreeForm, FreeFormBody, Nullable, SingleLine, Uuid } from '../http/schemas/schemas.ts';

const Tag = SingleLine({ minLength: 1, maxLength: 100 });

const { storedField, convertedField, readOnlyField, computedField } = createFieldFactories<
  Opened<Contact>,
  ContactChanges
>();
const text = Nullable(Type.String());

/** Fields of a contact in the API (docs/patterns.md#resources). */
export const contact = createResourceFactory<Opened<Contact>, ContactChanges>()(
  {
    id: readOnlyField('id', Uuid('The contact’s id.')),
    bot_id: readOnlyField('botId', Uuid('The bot that the visitor talked to first.')),
    visitor_id: readOnlyField(
      'visitorId',
      Type.String({ description: 'The visitor’s id, as given by the page in the first conversation.' }),
    ),
    identity: readOnlyField(
      'identity',
      Nullable(
        Type.String({
          description: 'The sub of the visitor’s identity tokens; null if the visitor is not verified.',
        }),
      ),
    ),
    name: storedField('name', {
      description: 'The visitor’s name.',
      on: 'update',
      body: Nullable(
        SingleLine({
          minLength: 1,
          maxLength: contactLimits.name,
          examples: ['Ada Lovelace'],
        }),
      ),
      read: text,
    }),
    email: storedField('email', {
      description: 'Email address.',
      on: 'update',
      body: Nullable(
        Type.String({
          maxLength: contactLimits.email,
          pattern: EMAIL_PATTERN,
          examples: ['ada@example.com'],
        }),
      ),
      read: text,
    }),
    email_verified: computedField(
      'isEmailVerified',
      Type.Boolean({
        default: false,
        description: 'Whether the email address comes from an identity token.',
      }),
      ({ isEmailVerified }) => isEmailVerified,
    ),
    phone: storedField('phone', {
      description: 'Phone number.',
      on: 'update',
      body: Nullable(
        Type.String({ maxLength: contactLimits.phone, pattern: PHONE_PATTERN, examples: ['+49 30 901820'] }),
      ),
      read: text,
    }),
    country: readOnlyField(
      'country',
      Nullable(Type.String({ description: 'ISO 3166 code of the country, if known.' })),
    ),
    custom_fields: convertedField(
      'custom_fields',
      'customFields',
      {
        on: 'update',
        body: FreeFormBody('Additional details; the new value replaces all existing details.'),
        read: FreeForm('Additional details by field key.'),
      },
      ({ customFields }) => customFields,
    ),
    tags: storedField('tags', {
      description: 'Labels for filtering lists.',
      on: 'update',
      body: Type.Array(Tag, { maxItems: 20, uniqueItems: true }),
      read: Type.Array(Type.String()),
    }),
    is_lead: convertedField(
      'is_lead',
      'isLead',
      {
        on: 'update',
        body: Type.Boolean({ description: 'Whether to count the visitor as a lead.' }),
        read: Type.Boolean({ default: false, description: 'Whether the visitor has left contact details.' }),
      },
      ({ isLead }) => isLead,
    ),
    first_seen_at: readOnlyField('firstSeenAt', DateTime('Start of the first conversation.')),
  },
  {
    hidden: {
      orgId: 'It is the caller’s workspace.',
      browserId: 'Anyone who knows it could pose as the visitor.',
      removedFields: 'The team has removed these fields.',
      createdAt: 'first_seen_at has the same value.',
      deletedAt: 'Erased contacts are not returned.',
      formerIds: 'Merged contacts no longer exist.',
      keyId: 'The encryption of the row is internal.',
    },
  },
);
