import { Alert, Button, Text } from '@mantine/core';
import { useEditing } from './editor-context.ts';

/**
 * Says that another user has saved the flow after this user loaded it. The user can load the saved version,
 * or confirm to overwrite it.
 */
export function ConflictNotice() {
  const { editor } = useEditing();
  const { conflict, saving } = editor;
  if (conflict === null) return null;
  return (
    <Alert color="red">
      <Text mb="xs">
        Someone else saved this flow after you opened it (revision {conflict.revision}). Your changes are
        still here, but they aren't saved.
      </Text>
      <div className="row">
        <Button variant="default" onClick={editor.loadTheirs}>
          Use their version
        </Button>
        <Button
          variant="light"
          color="red"
          aria-disabled={saving.isBusy}
          onClick={() => saving.run('overwrite')}
        >
          Overwrite with my version
        </Button>
      </div>
      <Text mt="xs" fz={13}>
        You can undo this to get your version back.
      </Text>
    </Alert>
  );
}
