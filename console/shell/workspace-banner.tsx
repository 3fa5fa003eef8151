import { Button } from '@mantine/core';
import { useSession } from '../session/session.tsx';
import { useParentWorkspace } from '../team/workspaces/use-parent-workspace.ts';
import { useSwitchWorkspace } from '../team/workspaces/use-switch-workspace.ts';

/** Says that the current workspace is below another workspace, with a link to the other workspace. */
export function WorkspaceBanner() {
  const { me } = useSession();
  const { organization: here, session_id: sessionId } = me.data ?? {};
  const id = sessionId ? here?.id : undefined;
  const above = useParentWorkspace(id);
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
