import { Alert, Button, Text } from '@mantine/core';
import { useStore } from '../state/use-store.ts';
import { useSession } from '../session/session.tsx';
import { ExportButton } from './editor/export-button.tsx';
import { getFlowFormKey, type EditState } from './editor/use-stored-editing.ts';

/** Says that the flow was deleted while it had unsaved changes, and offers to export or discard them. */
export function DeletedFlow({ flowId }: { flowId: string }) {
  const { forms } = useSession();
  const form = getFlowFormKey(flowId);
  const stored = useStore(forms)[form] as EditState | undefined;
  if (stored === undefined) return null;
  return (
    <Alert color="yellow" role="status">
      <Text mb="xs">
        This flow was deleted, but your unsaved changes are still here. To keep them, export them and import
        the file as a new flow.
      </Text>
      <div className="row">
        <ExportButton draft={stored.history.present} />
        <Button variant="light" color="red" onClick={() => forms.put(form, {})}>
          Discard changes
        </Button>
      </div>
    </Alert>
  );
}
