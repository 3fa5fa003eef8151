import { Avatar, Button, Group, Menu, Modal, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../state/use-action.ts';
import { useTheme } from '../state/use-preferences.ts';
import { buildHref } from '../router.ts';
import { hasUnsavedWork } from '../session/unsaved-work.ts';
import {
  IconHelp,
  IconMark,
  IconMoon,
  IconReference,
  IconSelector,
  IconSignOut,
  IconSun,
  IconSystem,
  IconUser,
} from './icons.ts';
import { useSession } from '../session/session.tsx';

const themes = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'System', IconSystem],
] as const;

export interface UserMenuProps {
  isNarrow?: boolean;
  isAtAccount: boolean;
}

/** Menu of the signed-in user: the account, the theme, help, and the sign-out. */
export function UserMenu({ isNarrow = false, isAtAccount }: UserMenuProps) {
  const { me, signOut } = useSession();
  const [isAsking, setAsking] = useState(false);
  const leave = useAction(signOut);
  const { theme, setTheme } = useTheme();
  const user = me.data?.user;
  return (
    <>
      <Menu position="top-start" width={240}>
        <Menu.Target>
          <UnstyledButton className="user-button" data-current={isAtAccount || undefined}>
            <Avatar
              size={28}
              name={user?.full_name ?? ''}
              color="brand"
              radius="xl"
              alt=""
              aria-hidden="true"
            />
            <span className={isNarrow ? 'unseen' : 'user-names'}>
              <span className="user-name">{user?.full_name ?? 'Account'}</span>
              <span className="user-mail">{user?.email}</span>
            </span>
            {!isNarrow && <IconSelector size={16} />}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={buildHref(['account'])} leftSection={<IconUser />}>
            Your account
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Theme</Menu.Label>
          {themes.map(([scheme, name, Icon]) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              checked={theme === scheme}
              checkIcon={<IconMark size={14} />}
              rightSection={<Icon />}
              onChange={() => setTheme(scheme)}
            >
              {name}
            </Menu.RadioItem>
          ))}
          <Menu.Divider />
          <Menu.Item component="a" href="/docs/guides" target="_blank" leftSection={<IconHelp />}>
            Guides
          </Menu.Item>
          <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconReference />}>
            API reference
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconSignOut />}
            onClick={() => (hasUnsavedWork() ? setAsking(true) : leave.run())}
          >
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title="Discard unsaved changes?" centered>
        <Text>Your unsaved changes and unsent drafts will be lost.</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => setAsking(false)}>
            Stay
          </Button>
          <Button color="red" onClick={() => leave.run()}>
            Sign out
          </Button>
        </Group>
      </Modal>
    </>
  );
}
