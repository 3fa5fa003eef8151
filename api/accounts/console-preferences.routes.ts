import { defineOperation } from '../http/operation.ts';
import { presentConsolePreferences, toPreferenceChanges } from './console-preferences.presenter.ts';
import { ConsolePreferencesRead, ConsolePreferencesUpdate } from './console-preferences.schemas.ts';

const ownAccess = { tag: 'auth', auth: 'account', scope: null, role: null } as const;

export const getConsolePreferences = defineOperation({
  ...ownAccess,
  id: 'getConsolePreferences',
  method: 'GET',
  path: '/api/ext/console-preferences',
  responses: { 200: ConsolePreferencesRead },
  summary: 'Your console preferences for all devices: theme, time zone and notifications.',
  handle: async ({ ctx }, { accounts: { consolePreferences } }) =>
    presentConsolePreferences(await consolePreferences.get(ctx)),
});

export const updateConsolePreferences = defineOperation({
  ...ownAccess,
  id: 'updateConsolePreferences',
  method: 'PATCH',
  path: '/api/ext/console-preferences',
  body: ConsolePreferencesUpdate,
  responses: { 200: ConsolePreferencesRead },
  summary: 'Change your console preferences; absent fields stay unchanged.',
  handle: async ({ ctx, body }, { accounts: { consolePreferences } }) =>
    presentConsolePreferences(await consolePreferences.update(ctx, toPreferenceChanges(body))),
});
