import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { ProblemMessage } from '../components/problem-message.tsx';
import { useUploads, type Uploading } from './use-uploads.ts';

export interface UploadsProps {
  url: string;
  onUploaded(): void;
}

/** Field that uploads files to index. It shows the progress and the error of each upload. */
export function Uploads({ url, onUploaded }: UploadsProps) {
  const id = useId();
  const uploading = useUploads(url, onUploaded);
  const [isOver, setOver] = useState(false);
  return (
    <section
      className={isOver ? 'card stack drop over' : 'card stack drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        uploading.send([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <h2>Upload</h2>
      <label htmlFor={id}>
        PDF, DOCX, XLSX, PPTX, ODT, EPUB, HTML, Markdown, text or CSV, up to 25 MB; drop files here or choose
        them
      </label>
      <input
        id={id}
        type="file"
        multiple
        onChange={({ currentTarget }) => {
          uploading.send([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <UploadList {...uploading} />
    </section>
  );
}

function UploadList({ uploads, dismiss }: Uploading) {
  return (
    <ul className="plain-list" aria-live="polite">
      {uploads.map(({ id, name, sent, problem }) => (
        <li key={id}>
          {name} {problem === null && <progress aria-label={`Upload of ${name}`} value={sent} />}
          {problem === null && ` ${Math.round(sent * 100)} %`}
          <ProblemMessage problem={problem} labels={{ file: 'The file' }} />
          {problem !== null && (
            <Button variant="default" onClick={() => dismiss(id)}>
              Dismiss
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
