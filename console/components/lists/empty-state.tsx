import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** Sentence that says what the user gains. */
  children: ReactNode;
  /** The primary button, and a link to the guide. */
  action?: ReactNode;
}

/** Fills a list that has no rows. */
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
