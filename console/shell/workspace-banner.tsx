import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { loadParent } from '../team/workspaces/load-parent.ts';
import { useSession } from '../session/session.tsx';
import { useSwitchWorkspace } from '../team/workspaces/use-switch-workspace.ts';

/** Says that the current workspace is below another one, with a link to that one. */
export function WorkspaceBanner() {
  const { me, client } = useSession();
  const { organization: here, session_id: sessionId } = me.data ?? {};
  const id = sessionId ? here?.id : undefined;
  const { data: above } = useQuery({
    queryKey: ['parent workspace', id],
    queryFn: ({ signal }) => loadParent(client, id!, signal),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const change = useSwitchWorkspace();
  if (!above || !here) return null;
  return (
    <aside className="workspace-banner" aria-label="Where you are">
      <span>
        You're working in <strong>{here.name}</strong>, a sub-workspace of {above.name}.
      </span>
      <Button
        variant="default"
        size="compact-sm"
        aria-disabled={change.isBusy}
        onClick={() => change.run(above.id)}
      >
        Back to {above.name}
      </Button>
    </aside>
  );
}
