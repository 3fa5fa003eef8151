import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import { presentEmailPreferences } from './email-preferences.presenter.ts';
import { EmailPreferences, EmailPreferencesUpdate, UnsubscribeParams } from './email-preferences.schemas.ts';

export const getEmailPreferences = defineOperation({
  id: 'getEmailPreferences',
  method: 'GET',
  path: '/api/email-preferences',
  tag: 'email-preferences',
  auth: 'account',
  scope: null,
  role: null,
  responses: { 200: EmailPreferences },
  summary: 'Each category of email, and whether you receive it.',
  handle: async ({ ctx }, { mail: { emailPreferences } }) =>
    presentEmailPreferences(await emailPreferences.get(ctx.db, ctx.userId)),
});

export const updateEmailPreferences = defineOperation({
  id: 'updateEmailPreferences',
  method: 'PUT',
  path: '/api/email-preferences',
  tag: 'email-preferences',
  auth: 'account',
  scope: null,
  role: null,
  body: EmailPreferencesUpdate,
  responses: { 200: EmailPreferences },
  summary: 'Turn categories of email on or off. Email about security and billing cannot be turned off.',
  handle: async ({ ctx, body }, { mail: { emailPreferences } }) =>
    presentEmailPreferences(await emailPreferences.update(ctx.db, ctx.userId, body.categories)),
});

export const unsubscribe = defineOperation({
  id: 'unsubscribe',
  method: 'POST',
  path: '/api/email-preferences/unsubscribe/{token}',
  tag: 'email-preferences',
  auth: 'public',
  scope: null,
  role: null,
  params: UnsubscribeParams,
  responses: { 200: Message },
  errors: ['not_found'],
  summary:
    'Turn off the category of email that the token is for, with one click and without signing in (RFC 8058).',
  handle: async ({ ctx, params }, { mail: { emailPreferences } }) => {
    const category = await emailPreferences.unsubscribe(ctx.db, params.token);
    return { message: `You no longer get emails of the category ${category}.` };
  },
});
