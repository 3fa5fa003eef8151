import { TextField } from '../ui/fields.tsx';

export interface MailedCodeFieldProps {
  value: string;
  onChange: (code: string) => void;
  hint?: string;
}

/** Field for the six digits of a code that was sent by mail. */
export function MailedCodeField({ value, onChange, hint = 'Six digits' }: MailedCodeFieldProps) {
  return (
    <TextField
      label="Code from the mail"
      value={value}
      onChange={onChange}
      hint={hint}
      inputMode="numeric"
      pattern="\s*[0-9]{6}\s*"
      autoComplete="one-time-code"
      isRequired
      isFocused
    />
  );
}
