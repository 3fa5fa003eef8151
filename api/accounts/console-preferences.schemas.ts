import { Type, type Static } from '@sinclair/typebox';
import { themes } from '../../entities/accounts/console-preference.entity.ts';
import { Nullable, StringEnum, Strict } from '../http/schemas/schemas.ts';

const Theme = StringEnum(themes, { description: 'Colors; `auto` follows the device.' });
const TimeZone = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'IANA name of the time zone in which the console shows times; null for the browser’s time zone.',
    examples: ['Europe/Lisbon'],
  }),
);
const notifications = {
  waiting: Type.Boolean({ description: 'Whether to notify you when a visitor waits for a person.' }),
  assigned: Type.Boolean({ description: 'Whether to notify you when a conversation is assigned to you.' }),
  reply: Type.Boolean({
    description: 'Whether to notify you when a visitor writes in one of your conversations.',
  }),
  sound: Type.Boolean({ description: 'Whether notifications make a sound.' }),
};
const HasDismissedChecklist = Type.Boolean({
  description: 'Whether you have dismissed the checklist of the current workspace.',
});

export const ConsolePreferencesRead = Type.Object(
  {
    theme: Theme,
    time_zone: TimeZone,
    notifications: Type.Object(notifications, { description: 'Browser notifications.' }),
    has_dismissed_checklist: HasDismissedChecklist,
  },
  { $id: 'ConsolePreferencesRead', description: 'Your console preferences for all devices.' },
);
export type ConsolePreferencesRead = Static<typeof ConsolePreferencesRead>;

export const ConsolePreferencesUpdate = Strict(
  {
    theme: Type.Optional(Theme),
    time_zone: Type.Optional(TimeZone),
    notifications: Type.Optional(
      Strict(
        {
          waiting: Type.Optional(notifications.waiting),
          assigned: Type.Optional(notifications.assigned),
          reply: Type.Optional(notifications.reply),
          sound: Type.Optional(notifications.sound),
        },
        { description: 'Notifications to change; absent ones stay unchanged.' },
      ),
    ),
    has_dismissed_checklist: Type.Optional(HasDismissedChecklist),
  },
  { $id: 'ConsolePreferencesUpdate', description: 'The preferences to change; absent ones stay unchanged.' },
);
export type ConsolePreferencesUpdate = Static<typeof ConsolePreferencesUpdate>;
