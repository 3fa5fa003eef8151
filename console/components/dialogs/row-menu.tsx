import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconDots } from '../../shell/icons.ts';

/**
 * Menu with the actions of one row of a list.
 * @param about name of the row, for screen readers
 */
export function RowMenu({ about, children }: { about: string; children: ReactNode }) {
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions: ${about}`}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
