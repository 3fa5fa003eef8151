import { useId, useState } from 'react';
import type { ArchiveJob } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useSession } from '../session/session.tsx';
import { showConfirmation } from '../components/notices.ts';
import { ProblemMessage } from '../components/problem-message.tsx';
import type { StartFormProps } from './export-form.tsx';

/** Form that uploads an archive and starts its import. */
export function ImportForm({ onStarted }: StartFormProps) {
  const { client } = useSession();
  const id = useId();
  const [sent, setSent] = useState(0);
  const upload = useAction(async (file: File) => {
    setSent(0);
    onStarted(await client.upload<ArchiveJob>('/api/archive/import', file, setSent));
    showConfirmation('The import has started.');
  });
  return (
    <>
      <p className="hint">
        Existing data is not changed, and erased people are not restored. Bots that do not exist here are
        created as archived ones.
      </p>
      <label htmlFor={id}>An archive of conversations (.tar.gz), up to 100 MB; each part by itself</label>
      <input
        id={id}
        type="file"
        accept=".gz,.tgz,application/gzip"
        aria-disabled={upload.isBusy}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) upload.run(file);
          currentTarget.value = '';
        }}
      />
      {upload.isBusy && <progress aria-label="Upload of the archive" value={sent} />}
      <ProblemMessage problem={upload.problem} labels={{ file: 'The file' }} />
    </>
  );
}
