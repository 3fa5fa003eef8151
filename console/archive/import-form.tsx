import { Progress } from '@mantine/core';
import { useState } from 'react';
import type { ArchiveJob } from '../client/types.ts';
import { showConfirmation } from '../components/page/notices.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useSession } from '../session/session.tsx';
import { IconUpload } from '../shell/icons.ts';
import { useAction } from '../state/use-action.ts';
import type { StartFormProps } from './export-form.tsx';

/** Drop zone that uploads an archive of conversations and starts its import. */
export function ImportForm({ onStarted }: StartFormProps) {
  const { client } = useSession();
  const [sent, setSent] = useState(0);
  const [isOver, setOver] = useState(false);
  const upload = useAction(async (file: File) => {
    setSent(0);
    onStarted(await client.upload<ArchiveJob>('/api/archive/import', file, setSent));
    showConfirmation('Import started');
  });
  const start = (files: FileList | null): void => {
    const file = files?.[0];
    if (file) upload.run(file);
  };
  return (
    <>
      <label
        className="import-zone"
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          start(event.dataTransfer.files);
        }}
      >
        <IconUpload size={24} />
        <span>
          Drag an archive here or <span className="drop-link">browse</span>
        </span>
        <span className="hint">.tar.gz up to 100 MB, one part at a time</span>
        <input
          type="file"
          className="unseen"
          aria-label="Archive"
          accept=".gz,.tgz,application/gzip"
          aria-disabled={upload.isBusy}
          onChange={({ currentTarget }) => {
            start(currentTarget.files);
            currentTarget.value = '';
          }}
        />
      </label>
      <p className="hint">
        Existing data isn't changed, and deleted contacts aren't restored. Bots that don't exist in this
        workspace are created as archived bots.
      </p>
      {upload.isBusy && (
        <Progress.Root>
          <Progress.Section value={sent * 100} aria-label="Upload progress" />
        </Progress.Root>
      )}
      <ProblemMessage problem={upload.problem} labels={{ file: 'The file' }} />
    </>
  );
}
