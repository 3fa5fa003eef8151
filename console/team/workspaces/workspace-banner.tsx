import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { loadParent } from './load-parent.ts';
import { useSwitchWorkspace } from './use-switch-workspace.ts';

/** Says that the current workspace is below another one, with a link to that one. */
export function WorkspaceBanner() {
  const { me, client } = useSession();
  const { organization: here, session_id: sessionId } = me.data ?? {};
  const id = sessionId ? here?.id : undefined;
  const { data: above } = useLoad(
    async (signal) => (id ? loadParent(client, id, signal) : null),
    [client, id],
  );
  const change = useSwitchWorkspace();
  if (!above || !here) return null;
  return (
    <aside class="where" aria-label="Where you are">
      <span>
        You are working in <strong>{here.name}</strong>, a workspace below {above.name}.
      </span>
      <button type="button" aria-disabled={change.isBusy} onClick={() => change.run(above.id)}>
        <span>Back to {above.name}</span>
      </button>
    </aside>
  );
}
