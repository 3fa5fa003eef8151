import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface SettingRowProps {
  title: ReactNode;
  /** State of the setting, or what it does. */
  description?: ReactNode;
  /** Control at the right. */
  children?: ReactNode;
}

/** Setting of a section, with its control at the right. */
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
