import { ActionIcon, CloseButton, Progress, Tooltip } from '@mantine/core';
import { useRef } from 'react';
import { IconPaperclip } from '../../../shell/icons.ts';
import type { FileUpload } from './use-send-files.ts';

/** Button with which the user chooses files and sends them to the visitor. */
export function AttachButton({ onFiles }: { onFiles(files: File[]): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files for the visitor"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <Tooltip label="Send files">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Send files"
          onClick={() => input.current?.click()}
        >
          <IconPaperclip />
        </ActionIcon>
      </Tooltip>
    </>
  );
}

/** Shows the progress of the files that are being sent to the visitor. */
export function FileUploads({ uploads }: { uploads: readonly FileUpload[] }) {
  if (uploads.length === 0) return null;
  return (
    <ul className="file-uploads">
      {uploads.map(({ id, name, sent, stop }) => (
        <li key={id}>
          <bdi>{name}</bdi>
          <Progress value={sent * 100} aria-label={`Sending ${name}`} />
          <CloseButton size="sm" aria-label={`Cancel ${name}`} onClick={stop} />
        </li>
      ))}
    </ul>
  );
}
