import { Button } from '@mantine/core';
import { toAccessibleName } from '../../components/accessible-name.ts';
import { useSwitchWorkspace } from './use-switch-workspace.ts';

/** Button that switches to a workspace. */
export function SwitchToWorkspace({ id, name }: { id: string; name: string }) {
  const change = useSwitchWorkspace();
  return (
    <Button
      variant="default"
      aria-label={toAccessibleName('Work in it:', name)}
      aria-disabled={change.isBusy}
      onClick={() => change.run(id)}
    >
      Work in it
    </Button>
  );
}
