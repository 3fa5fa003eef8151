import type { HierarchyNode, Org } from '../../client/types.ts';
import { useLoad } from '../../state/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { ActionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { showConfirmation } from '../../components/notices.ts';
import type { Team } from '../team.ts';

/** Button with which an owner disables or enables a workspace, that is, its API keys and bots. */
export function SwitchOnOrOff({ team: { url, name } }: { team: Team }) {
  const { client } = useSession();
  const tree = useLoad((signal) => client.get<HierarchyNode>(`${url}/hierarchy`, signal), [client, url]);
  if (tree.data === undefined) return null;
  const { is_active: isActive } = tree.data;
  const set = async (is_active: boolean): Promise<void> => {
    await client.patch<Org>(url, { is_active });
    tree.change((node) => ({ ...node, is_active }));
    showConfirmation(`${name} is ${is_active ? 'on' : 'off'} now.`);
  };
  return (
    <>
      <Badge state={isActive ? 'on' : 'off'} />
      {isActive ? (
        <ConfirmButton
          question={`Switch ${name} off?`}
          consequence="Its bots and API keys stop until it is switched on again; nothing is lost, and its people can still sign in."
          onConfirm={() => set(false)}
        >
          Switch off
        </ConfirmButton>
      ) : (
        <ActionButton onAction={() => set(true)}>Switch on</ActionButton>
      )}
    </>
  );
}
