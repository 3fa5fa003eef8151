import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** Sentence about how the user benefits from adding the first row. */
  children: ReactNode;
  /** The primary button, such as for adding the first row, and a link to the guide. */
  action?: ReactNode;
}

/** Message in place of a list that has no rows. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <span className="empty-icon">{icon}</span>
      <Title order={2}>{title}</Title>
      <Text c="dimmed" maw={420}>
        {children}
      </Text>
      {action !== undefined && <div className="empty-actions">{action}</div>}
    </div>
  );
}
