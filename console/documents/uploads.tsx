import { useId, useState } from 'preact/hooks';
import { toApiError, type ApiError } from '../client/api-error.ts';
import { newIdempotencyKey } from '../client/idempotency-key.ts';
import type { DocumentRead } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';

interface Upload {
  id: string;
  name: string;
  /** 0 to 1. */
  sent: number;
  problem: ApiError | null;
}

export interface UploadsProps {
  url: string;
  onUploaded(): void;
}

/** Files to index, one after the other; each tells how far it is and why it was refused. */
export function Uploads({ url, onUploaded }: UploadsProps) {
  const { client } = useSession();
  const id = useId();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [isOver, setOver] = useState(false);
  const change = (uploadId: string, changes: Partial<Upload>): void =>
    setUploads((all) => all.map((each) => (each.id === uploadId ? { ...each, ...changes } : each)));
  const dismiss = (uploadId: string): void => setUploads((all) => all.filter((each) => each.id !== uploadId));
  const send = async (files: readonly File[]): Promise<void> => {
    const begun = files.map((file) => ({ file, id: newIdempotencyKey() }));
    setUploads((all) => [
      ...all,
      ...begun.map((each) => ({ id: each.id, name: each.file.name, sent: 0, problem: null })),
    ]);
    for (const each of begun) {
      try {
        await client.upload<DocumentRead>(url, each.file, (sent) => change(each.id, { sent }));
        dismiss(each.id);
        onUploaded();
      } catch (error) {
        change(each.id, { problem: toApiError(error) });
      }
    }
  };
  return (
    <section
      class={isOver ? 'card stack drop over' : 'card stack drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void send([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <h2>Upload</h2>
      <label for={id}>
        PDF, DOCX, HTML, Markdown, text or CSV, up to 25 MB; drop files here or choose them
      </label>
      <input
        id={id}
        type="file"
        multiple
        onChange={({ currentTarget }) => {
          void send([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <ul class="plain-list" aria-live="polite">
        {uploads.map(({ id: uploadId, name, sent, problem }) => (
          <li key={uploadId}>
            {name} {problem === null && <progress aria-label={`Upload of ${name}`} value={sent} />}
            {problem === null && ` ${Math.round(sent * 100)} %`}
            <ProblemMessage problem={problem} />
            {problem !== null && (
              <button type="button" onClick={() => dismiss(uploadId)}>
                Dismiss
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
