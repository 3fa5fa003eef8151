import type { ConsolePreferences } from '../../services/accounts/console-preference-service.ts';
import type { ConsolePreferencesRead, ConsolePreferencesUpdate } from './console-preferences.schemas.ts';

export function presentConsolePreferences(preferences: ConsolePreferences): ConsolePreferencesRead {
  return {
    theme: preferences.theme,
    time_zone: preferences.timeZone,
    notifications: {
      waiting: preferences.notifiesWaiting,
      assigned: preferences.notifiesAssigned,
      reply: preferences.notifiesReply,
      sound: preferences.notifiesBySound,
    },
    has_dismissed_checklist: preferences.hasDismissedChecklist,
  };
}

/** Converts a request to the console preferences that it changes. */
export function toPreferenceChanges({
  theme,
  time_zone: timeZone,
  notifications: { waiting, assigned, reply, sound } = {},
  has_dismissed_checklist: hasDismissedChecklist,
}: ConsolePreferencesUpdate): Partial<ConsolePreferences> {
  return {
    ...(theme !== undefined && { theme }),
    ...(timeZone !== undefined && { timeZone }),
    ...(waiting !== undefined && { notifiesWaiting: waiting }),
    ...(assigned !== undefined && { notifiesAssigned: assigned }),
    ...(reply !== undefined && { notifiesReply: reply }),
    ...(sound !== undefined && { notifiesBySound: sound }),
    ...(hasDismissedChecklist !== undefined && { hasDismissedChecklist }),
  };
}
