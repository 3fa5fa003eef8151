import { Button } from '@mantine/core';
import type { AlertPolicy } from '../client/types.ts';
import { useBotNames } from '../bots/use-bots.ts';
import { useInterval } from '../state/use-interval.ts';
import { useLoad } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { LoadedView } from '../components/loaded-view.tsx';
import { Page } from '../components/page.tsx';
import { PolicyCard } from './policy-card.tsx';
import { NewAlert } from './wizard/new-alert.tsx';

/** Poll interval for the policies, whose counts of sent and held alerts change. */
const POLL_EVERY_MS = 30_000;

export function AlertsPage() {
  const { client } = useSession();
  const mayWrite = usePermission()('alerts:write', 'admin');
  const policies = useLoad((signal) => client.get<AlertPolicy[]>('/api/alerts', signal), [client]);
  const botNames = useBotNames();
  useInterval(policies.reload, policies.data === undefined ? null : POLL_EVERY_MS);
  return (
    <Page title="Alerts">
      <p className="hint">
        Parley writes to a phone when a visitor waits, a lead comes in or something fails, and sums up the day
        or the week.
      </p>
      <div className="row">
        {mayWrite && <NewAlert policies={policies.data ?? []} onSaved={policies.reload} />}
        <Button variant="default" onClick={policies.reload}>
          Refresh
        </Button>
      </div>
      <LoadedView loaded={policies}>
        {(all) =>
          all.length === 0 ? (
            <p className="empty">
              There are no alerts yet.{' '}
              {mayWrite
                ? 'A new alert takes a phone with Telegram or WhatsApp, and a minute.'
                : 'An admin of the workspace can set it up.'}
            </p>
          ) : (
            <ul className="cards of-alerts">
              {all.map((policy) => (
                <PolicyCard
                  key={policy.id}
                  policy={policy}
                  botName={policy.bot_id && (botNames.get(policy.bot_id) ?? 'One bot')}
                  onChange={policies.reload}
                />
              ))}
            </ul>
          )
        }
      </LoadedView>
    </Page>
  );
}
