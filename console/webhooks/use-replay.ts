import { path } from '../client/paths.ts';
import type { Delivery } from '../client/types.ts';
import { useAction, type Action } from '../state/use-action.ts';
import { buildHref, goTo } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { showConfirmation, showError } from '../components/page/notices.ts';
import { DELIVERIES_URL } from './deliveries-url.ts';
import { useReload } from '../state/use-reload.ts';

/**
 * Returns an action that sends the event of a webhook delivery again, as a new delivery, whose details then
 * open.
 */
export function useReplay(filters: Record<string, string>): Action<[Delivery]> {
  const { client } = useSession();
  const reload = useReload();
  return useAction(
    async ({ id }: Delivery) => {
      const again = await client.post<Delivery>(path`/api/webhooks/deliveries/${id}/replay`);
      goTo(buildHref(['webhooks', 'deliveries', again.id], filters));
      showConfirmation("Replay sent. You're viewing the new delivery.");
      await reload(DELIVERIES_URL);
    },
    ({ message }) => showError(message),
  );
}
