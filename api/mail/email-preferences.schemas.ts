import { Type, type TBoolean, type TOptional } from '@sinclair/typebox';
import { mailCategories, type MailCategory } from '../../services/mail/rendering/mail-templates.ts';
import { Strict } from '../http/schemas/schemas.ts';

const names = Object.keys(mailCategories) as MailCategory[];

const Category = Type.Union(
  names.map((name) => Type.Literal(name)),
  { $id: 'Category', description: 'A kind of email, which people can turn off.', examples: ['leads'] },
);

const EmailPreference = Type.Object(
  {
    category: Category,
    description: Type.String({
      description: 'When emails of this category are sent.',
      examples: [mailCategories.leads],
    }),
    enabled: Type.Boolean({ description: 'Whether you receive emails of this category.' }),
    is_sent: Type.Boolean({ description: 'Whether Parley already sends emails of this category.' }),
  },
  { $id: 'EmailPreference', description: 'An email preference.' },
);

export const EmailPreferences = Type.Object(
  { categories: Type.Array(EmailPreference, { description: 'All eight categories.' }) },
  {
    $id: 'EmailPreferences',
    description: 'Your email preferences. Email about security and billing is always sent.',
  },
);

export const EmailPreferencesUpdate = Strict(
  {
    categories: Strict(
      Object.fromEntries(
        names.map((name) => [name, Type.Optional(Type.Boolean({ description: mailCategories[name] }))]),
      ) as Record<MailCategory, TOptional<TBoolean>>,
      { description: 'Categories to change; absent ones stay unchanged.', examples: [{ digest: false }] },
    ),
  },
  { $id: 'EmailPreferencesUpdate', description: 'The categories of email to turn on or off.' },
);

export const UnsubscribeParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 512, description: 'The token in the email.' }),
});
