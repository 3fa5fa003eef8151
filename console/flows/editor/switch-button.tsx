import { Button } from '@mantine/core';
import { useEditing } from './editor-context.ts';

/** Button that activates or deactivates the flow. */
export function SwitchButton() {
  const { editor } = useEditing();
  const { flow, isChanged, saving } = editor;
  const { is_active: isActive } = flow;
  return (
    <Button
      variant="default"
      aria-disabled={saving.isBusy}
      onClick={() => saving.run(isActive ? 'deactivate' : 'activate')}
    >
      {isActive ? 'Deactivate' : isChanged ? 'Save and activate' : 'Activate'}
    </Button>
  );
}
