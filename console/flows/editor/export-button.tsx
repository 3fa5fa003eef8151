import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { saveFile } from '../../components/save-file.ts';
import type { FlowDraft } from '../graph/flow-draft.ts';
import { getFlowFileName, serializeFlow } from '../graph/flow-file.ts';

/** Button that downloads the flow as a file, including unsaved changes. */
export function ExportButton({ draft }: { draft: FlowDraft }) {
  const exportFlow = async (): Promise<void> =>
    saveFile(new Blob([serializeFlow(draft)], { type: 'application/json' }), getFlowFileName(draft));
  return <ActionButton onAction={exportFlow}>Export</ActionButton>;
}
