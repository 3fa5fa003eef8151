import { ActionButton } from '../../ui/action-button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import type { FlowDraft } from '../graph/flow-draft.ts';
import { fileNameOf, fileOf } from '../graph/flow-file.ts';

/** Downloads the flow with its unsaved changes. */
export function ExportButton({ draft }: { draft: FlowDraft }) {
  const exported = async (): Promise<void> =>
    saveFile(new Blob([fileOf(draft)], { type: 'application/json' }), fileNameOf(draft));
  return <ActionButton onAction={exported}>Export</ActionButton>;
}
