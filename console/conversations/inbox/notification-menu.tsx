import { ActionIcon, Popover, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { showError } from '../../components/page/notices.ts';
import { useSession } from '../../session/session.tsx';
import { IconBell, IconBellOff } from '../../shell/icons.ts';
import { useAction } from '../../state/use-action.ts';
import { useStore } from '../../state/use-store.ts';
import type { NotificationKind } from './inbox-news.ts';
import type { NotificationChoices } from './notification-settings.ts';
import { playChime } from './play-chime.ts';

const kinds = [
  ['waiting', 'A visitor is waiting'],
  ['assigned', 'A conversation is assigned to me'],
  ['reply', 'A visitor replies to me'],
] as const satisfies (readonly [NotificationKind, string])[];

/** Popover in which the user turns desktop notifications and their sound on. */
export function NotificationMenu() {
  const { notifications } = useSession();
  const choices = useStore(notifications);
  const [isBlocked, setBlocked] = useState(false);
  const choose = useAction(
    (changes: Partial<NotificationChoices>) => notifications.choose(changes),
    ({ message }) => showError(message),
  );
  const isOn = kinds.some(([kind]) => choices[kind]);
  const switchKind = async (kind: NotificationKind, isEnabled: boolean): Promise<void> => {
    choose.run({ [kind]: isEnabled });
    if (isEnabled) setBlocked((await Notification.requestPermission()) !== 'granted');
  };
  return (
    <Popover position="bottom-start" width={290} shadow="md" radius="md" trapFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Notifications" title="Notifications">
          {isOn ? <IconBell /> : <IconBellOff />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Notifications">
        <Stack gap="sm">
          <Text size="xs" c="dimmed">
            Notify me when
          </Text>
          {kinds.map(([kind, name]) => (
            <Switch
              key={kind}
              label={name}
              size="xs"
              checked={choices[kind]}
              onChange={({ currentTarget }) => void switchKind(kind, currentTarget.checked)}
            />
          ))}
          <Switch
            label="Play a sound"
            size="xs"
            checked={choices.sound}
            disabled={!isOn}
            onChange={({ currentTarget: { checked } }) => {
              choose.run({ sound: checked });
              if (checked) playChime();
            }}
          />
          {isBlocked && (
            <Text size="xs" c="dimmed">
              Your browser blocks notifications. Allow them in its settings for this site.
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
