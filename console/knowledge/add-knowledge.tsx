import { Button, CloseButton, FileButton, Progress } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { IconFile, IconQuestion, IconUpload, IconWorld } from '../bots/icons.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { LinkForm } from './link-form.tsx';
import { QuestionForm, TextForm } from './text-forms.tsx';
import { useUploads, type Uploading } from './use-uploads.ts';

export interface AddKnowledgeProps {
  /** URL of the bot's documents in the API. */
  url: string;
  onAdded(): void;
}

type FormName = 'link' | 'text' | 'question';

const forms: readonly (readonly [FormName, name: string, title: string, icon: ReactNode])[] = [
  ['link', 'Website', 'Add website', <IconWorld key="link" size={16} />],
  ['text', 'Text', 'Add text', <IconFile key="text" size={16} />],
  ['question', 'Q&A', 'Add Q&A', <IconQuestion key="question" size={16} />],
];

/** Zone in which the user drops files to add them to the bot's documents, with buttons for other sources. */
export function AddKnowledge({ url, onAdded }: AddKnowledgeProps) {
  const uploading = useUploads(`${url}/upload`, onAdded);
  const [isOver, setOver] = useState(false);
  const [opened, open] = useState<FormName | null>(null);
  const title = forms.find(([name]) => name === opened)?.[2];
  const close = (): void => open(null);
  const form = { url, onAdded, onDone: close };
  return (
    <section
      className="drop-zone"
      aria-label="Add knowledge"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        uploading.send([...event.dataTransfer.files]);
      }}
    >
      <div className="drop-zone-row">
        <span className="empty-icon">
          <IconUpload size={24} />
        </span>
        <div className="drop-zone-text">
          <strong>Drag files here or browse</strong>
          <p className="hint">PDF, Office, EPUB, HTML, Markdown, TXT or CSV, up to 25 MB</p>
        </div>
        <div className="button-row">
          <FileButton
            multiple
            inputProps={{ 'aria-label': 'Files to upload' }}
            onChange={(files) => uploading.send(files)}
          >
            {(props) => (
              <Button {...props} leftSection={<IconUpload size={16} />}>
                Browse files
              </Button>
            )}
          </FileButton>
          {forms.map(([name, label, , icon]) => (
            <Button key={name} variant="default" leftSection={icon} onClick={() => open(name)}>
              {label}
            </Button>
          ))}
        </div>
      </div>
      <UploadList {...uploading} />
      {title !== undefined && (
        <Dialog title={title} size="lg" onClose={close}>
          {opened === 'link' && <LinkForm {...form} />}
          {opened === 'text' && <TextForm {...form} />}
          {opened === 'question' && <QuestionForm {...form} />}
        </Dialog>
      )}
    </section>
  );
}

function UploadList({ uploads, dismiss }: Uploading) {
  return (
    <ul className="uploads" aria-live="polite">
      {uploads.map(({ id, name, sent, problem }) => (
        <li key={id}>
          <span className="upload-name">{name}</span>
          {problem === null ? (
            <>
              <Progress aria-label={`Upload of ${name}`} size="sm" value={sent * 100} />
              <span className="hint">{Math.round(sent * 100)}%</span>
            </>
          ) : (
            <>
              <ProblemMessage problem={problem} labels={{ file: 'The file' }} />
              <CloseButton aria-label={`Dismiss ${name}`} onClick={() => dismiss(id)} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
