import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface SettingRowProps {
  title: ReactNode;
  /** State of the setting, or what it does. */
  description?: ReactNode;
  /** Control of the setting, at the right of its row. */
  children?: ReactNode;
}

/** Row for one setting in a section of a page, with its control at the right. */
export function SettingRow({ title, description, children }: SettingRowProps) {
  return (
    <div className="setting-row">
      <div>
        <Title order={3}>{title}</Title>
        {description !== undefined && <div className="hint">{description}</div>}
      </div>
      {children !== undefined && <div className="setting-control">{children}</div>}
    </div>
  );
}
