import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useBotNames } from '../bots/use-bots.ts';
import type { AlertPolicy } from '../client/types.ts';
import { EmptyState } from '../components/lists/empty-state.tsx';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { Page } from '../components/page/page.tsx';
import { RefreshButton } from '../components/dialogs/refresh-button.tsx';
import { usePermission } from '../session/use-permission.ts';
import { IconBell, IconPlus } from '../shell/icons.ts';
import { useApi } from '../state/use-api.ts';
import { PolicyCard } from './policy-card.tsx';
import { NewAlert } from './wizard/new-alert.tsx';

/** Poll interval in milliseconds for the alert policies, whose counts of sent and queued alerts change. */
const POLL_EVERY_MS = 30_000;

export function AlertsPage() {
  const mayWrite = usePermission()('alerts:write', 'admin');
  const policies = useApi<AlertPolicy[]>('/api/alerts', { everyMs: () => POLL_EVERY_MS });
  const botNames = useBotNames();
  const { reload } = policies;
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
          <RefreshButton onRefresh={reload} />
        </>
      }
    >
      <Text c="dimmed">
        Get Telegram or WhatsApp alerts for handoffs, leads and failures, plus daily or weekly summaries.
      </Text>
      {/* The dialog is outside of the empty state, which the first policy replaces while the dialog is open. */}
      {isCreating && (
        <NewAlert policies={policies.data ?? []} onSaved={reload} onClose={() => setCreating(false)} />
      )}
      <LoadedView loaded={policies}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={<IconBell size={32} />} title="No alerts yet" action={mayWrite && newAlert}>
              {mayWrite
                ? 'Set up an alert with Telegram or WhatsApp in a minute.'
                : 'Ask a workspace admin to set up an alert.'}
            </EmptyState>
          ) : (
            <ul className="alert-cards">
              {all.map((policy) => (
                <PolicyCard
                  key={policy.id}
                  policy={policy}
                  botName={policy.bot_id && (botNames.get(policy.bot_id) ?? 'One bot')}
                  onChange={reload}
                />
              ))}
            </ul>
          )
        }
      </LoadedView>
    </Page>
  );
}
