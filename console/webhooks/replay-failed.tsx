import { Button } from '@mantine/core';
import { useState } from 'react';
import { path, withQuery } from '../client/paths.ts';
import type { Delivery, Page } from '../client/types.ts';
import { ConfirmDialog } from '../components/dialogs/confirm-dialog.tsx';
import { IconRefresh } from '../shell/icons.ts';
import { useApi } from '../state/use-api.ts';
import { useSession } from '../session/session.tsx';
import { formatCount } from '../components/text/format-count.ts';
import { showConfirmation, showError } from '../components/page/notices.ts';
import { DELIVERIES_URL } from './deliveries-url.ts';
import { useReload } from '../state/use-reload.ts';

const PAGE_SIZE = 100;

/** Button that sends all failed webhook deliveries again that match the filters. */
export function ReplayFailed({ filters }: { filters: Record<string, string> }) {
  const { client } = useSession();
  const reload = useReload();
  const [isAsking, setAsking] = useState(false);
  const url = withQuery(DELIVERIES_URL, { ...filters, status: 'failed', page_size: PAGE_SIZE });
  const isExcluded = filters['status'] !== undefined && filters['status'] !== 'failed';
  const { data } = useApi<Page<Delivery>>(isExcluded ? null : url);
  const failed = (data?.items ?? []).filter(({ replayed_as_id: replay }) => replay === null);
  if (isExcluded || failed.length === 0) return null;
  const count = formatCount(failed.length, 'failed delivery', 'failed deliveries');
  const replayAll = async (): Promise<void> => {
    let sentCount = 0;
    try {
      for (const { id } of failed) {
        await client.post<Delivery>(path`/api/webhooks/deliveries/${id}/replay`);
        sentCount += 1;
      }
      showConfirmation(`${formatCount(sentCount, 'replay')} sent`);
    } catch (error) {
      showError(`${formatCount(sentCount, 'replay')} sent. Then one failed: ${(error as Error).message}`);
    }
    await reload(DELIVERIES_URL);
  };
  return (
    <>
      <Button variant="default" leftSection={<IconRefresh />} onClick={() => setAsking(true)}>
        Replay all failed
      </Button>
      {isAsking && (
        <ConfirmDialog
          question={`Replay ${count}?`}
          consequence="Each event is sent again to its endpoint, as a new delivery."
          action="Replay"
          isDangerous={false}
          onConfirm={replayAll}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
