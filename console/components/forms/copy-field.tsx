import { Button, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { IconCopy } from '../../shell/icons.ts';
import { showConfirmation } from '../page/notices.ts';

export interface CopyFieldProps {
  label: string;
  value: string;
}

const LINE_CHARACTERS = 80;

/** Shows a text with a button that copies it. */
export function CopyField({ label, value }: CopyFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      showConfirmation('Copied');
    } catch {
      showConfirmation('Press Ctrl+C to copy');
    }
  };
  return (
    <div className="copy-field">
      <Textarea
        ref={field}
        label={label}
        value={value}
        readOnly
        rows={countLines(value)}
        classNames={{ root: 'copy-text', input: 'code' }}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button variant="default" leftSection={<IconCopy />} onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}

function countLines(value: string): number {
  return value
    .split('\n')
    .reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / LINE_CHARACTERS)), 0);
}
