import { useRef } from 'preact/hooks';
import { showConfirmation } from './notices.ts';

export interface CopyFieldProps {
  label: string;
  value: string;
}

/** Shows a text with a button that copies it. */
export function CopyField({ label, value }: CopyFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      showConfirmation(`${label} copied.`);
    } catch {
      showConfirmation('It is selected: press Ctrl+C to copy it.');
    }
  };
  return (
    <div class="copy">
      <textarea ref={field} class="code" aria-label={label} readOnly rows={countLines(value)} value={value} />
      <button type="button" onClick={() => void copy()}>
        Copy
      </button>
    </div>
  );
}

function countLines(value: string): number {
  return value.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / 80)), 0);
}
