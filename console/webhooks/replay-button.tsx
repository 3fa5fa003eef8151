import { path } from '../client/paths.ts';
import type { Delivery } from '../client/types.ts';
import { goTo, buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { showConfirmation } from '../ui/notices.tsx';

export interface ReplayButtonProps {
  delivery: Delivery;
  filters: Record<string, string>;
}

/** Button that sends the event of a delivery again, as a new delivery, which then opens. */
export function ReplayButton({ delivery, filters }: ReplayButtonProps) {
  const { client } = useSession();
  const mayWrite = usePermission()('webhooks:write', 'admin');
  const replay = async (): Promise<void> => {
    const again = await client.post<Delivery>(path`/api/webhooks/deliveries/${delivery.id}/replay`);
    goTo(buildHref(['webhooks', 'deliveries', again.id], filters));
    showConfirmation('It is sent again; this is the new delivery.');
  };
  if (!mayWrite) return null;
  return (
    <ActionButton about={delivery.event} isDisabled={delivery.attempts === 0} onAction={replay}>
      Replay
    </ActionButton>
  );
}
