import { ActionButton } from '../../ui/action-button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import type { FlowDraft } from '../graph/flow-draft.ts';
import { fileNameOf, fileOf } from '../graph/flow-file.ts';

/** Saves the flow as a file, as it is on the page. */
export function ExportButton({ draft }: { draft: FlowDraft }) {
  const exported = async (): Promise<void> =>
    saveFile(new Blob([fileOf(draft)], { type: 'application/json' }), fileNameOf(draft));
  return <ActionButton onAction={exported}>Export</ActionButton>;
}
