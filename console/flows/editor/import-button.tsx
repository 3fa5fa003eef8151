import { path } from '../../client/paths.ts';
import { useSession } from '../../session/session.tsx';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { readFlowFile } from '../graph/flow-file.ts';
import { FileForm } from './file-form.tsx';
import { useEditing } from './editor-context.ts';

/**
 * Button that replaces the edited flow by a flow from a file. The new flow is not saved yet, and the user can
 * undo the replacement.
 */
export function ImportButton() {
  const { client } = useSession();
  const { editor } = useEditing();
  const importFlow = async (text: string): Promise<void> => {
    const { draft, flow } = editor;
    const read = readFlowFile(text, draft.name);
    // Run the flow as a test, which stores nothing, only to validate it.
    await client.ask(path`/api/flows/${flow.id}/run`, { graph: read.graph, max_steps: 1 });
    editor.change({ ...read, trigger: read.trigger || draft.trigger });
    editor.select(null);
    showConfirmation('Flow imported, but not saved yet.');
  };
  return (
    <DialogButton name="Import" title="Import a flow">
      {(close) => (
        <FileForm
          hint="The file replaces the steps on this page. The import isn't saved until you click Save, and you can undo it."
          onRead={async (text) => {
            await importFlow(text);
            close();
          }}
        />
      )}
    </DialogButton>
  );
}
