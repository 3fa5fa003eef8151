import { ActionIcon, Button, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useBotNames } from '../bots/use-bots.ts';
import type { AlertPolicy } from '../client/types.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { RowSkeletons } from '../components/page-skeleton.tsx';
import { Page } from '../components/page.tsx';
import { ProblemMessage } from '../components/problem-message.tsx';
import { usePermission } from '../session/use-permission.ts';
import { IconBell, IconPlus, IconRefresh } from '../shell/icons.ts';
import { getProblem, useApi } from '../state/queries.ts';
import { PolicyCard } from './policy-card.tsx';
import { NewAlert } from './wizard/new-alert.tsx';

/** Poll interval for the policies, whose counts of sent and queued alerts change. */
const POLL_EVERY_MS = 30_000;

export function AlertsPage() {
  const mayWrite = usePermission()('alerts:write', 'admin');
  const policies = useApi<AlertPolicy[]>('/api/alerts', { everyMs: () => POLL_EVERY_MS });
  const botNames = useBotNames();
  const problem = getProblem(policies);
  const reload = (): void => void policies.refetch();
  const [isCreating, setCreating] = useState(false);
  const newAlert = (
    <Button leftSection={<IconPlus />} onClick={() => setCreating(true)}>
      Create alert
    </Button>
  );
  return (
    <Page
      title="Alerts"
      tools={
        <>
          {mayWrite && policies.data?.length !== 0 && newAlert}
          <Tooltip label="Refresh">
            <ActionIcon variant="default" size={36} aria-label="Refresh" onClick={reload}>
              <IconRefresh />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      <Text c="dimmed">
        Get Telegram or WhatsApp alerts for handoffs, leads and failures, plus daily or weekly summaries.
      </Text>
      {/* Outside of the empty state, which the first policy replaces while the dialog is open. */}
      {isCreating && (
        <NewAlert policies={policies.data ?? []} onSaved={reload} onClose={() => setCreating(false)} />
      )}
      <ProblemMessage problem={problem} onRetry={reload} />
      {policies.isPending && problem === null && <RowSkeletons />}
      {policies.data?.length === 0 && (
        <EmptyState icon={<IconBell size={32} />} title="No alerts yet" action={mayWrite && newAlert}>
          {mayWrite
            ? 'Set one up in a minute with Telegram or WhatsApp.'
            : 'An admin of the workspace can set one up.'}
        </EmptyState>
      )}
      {policies.data !== undefined && policies.data.length > 0 && (
        <ul className="alert-cards">
          {policies.data.map((policy) => (
            <PolicyCard
              key={policy.id}
              policy={policy}
              botName={policy.bot_id && (botNames.get(policy.bot_id) ?? 'One bot')}
              onChange={reload}
            />
          ))}
        </ul>
      )}
    </Page>
  );
}
