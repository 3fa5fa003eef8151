import { useId } from 'react';
import { useAction } from '../../state/use-action.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { createUnreadableError } from '../graph/flow-file.ts';

const MAX_BYTES = 1024 * 1024;

export interface FileFormProps {
  hint: string;
  /**
   * Called with the content of the selected file and its name.
   * @param name name of the file without its extension
   */
  onRead(text: string, name: string): Promise<void>;
}

/** Form that reads a flow file. If the flow is invalid, the form lists the errors by step and field. */
export function FileForm({ hint, onRead }: FileFormProps) {
  const id = useId();
  const read = useAction(async (file: File) => {
    // Reject files that cannot be flows: the API's limit on the size of a flow is lower.
    if (file.size > MAX_BYTES) throw createUnreadableError('The file is larger than 1 MB.');
    await onRead(await file.text(), file.name.replace(/\.json$/i, ''));
  });
  return (
    <div className="stack">
      <p>{hint}</p>
      <label htmlFor={id}>Exported flow (JSON)</label>
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        aria-disabled={read.isBusy}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) read.run(file);
          currentTarget.value = '';
        }}
      />
      <ProblemMessage problem={read.problem} />
    </div>
  );
}
