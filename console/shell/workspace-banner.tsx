import { Button } from '@mantine/core';
import { useSession } from '../session/session.tsx';
import { useParentWorkspace } from '../team/workspaces/use-parent-workspace.ts';
import { useSwitchWorkspace } from '../team/workspaces/use-switch-workspace.ts';

/** Says that the current workspace is a sub-workspace, with a button that switches to the parent workspace. */
export function WorkspaceBanner() {
  const { me } = useSession();
  const { organization: current, session_id: sessionId } = me.data ?? {};
  const id = sessionId ? current?.id : undefined;
  const parent = useParentWorkspace(id);
  const change = useSwitchWorkspace();
  if (!parent || !current) return null;
  return (
    <aside className="workspace-banner" aria-label="Current workspace">
      <span>
        You're working in <strong>{current.name}</strong>, a sub-workspace of {parent.name}.
      </span>
      <Button
        variant="default"
        size="compact-sm"
        aria-disabled={change.isBusy}
        onClick={() => change.run(parent.id)}
      >
        Back to {parent.name}
      </Button>
    </aside>
  );
}
