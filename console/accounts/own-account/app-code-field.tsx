import { TextField, type TextFieldProps } from '../../components/fields.tsx';

/** Input for a six-digit code of an authenticator app. */
export function AppCodeField(props: Omit<TextFieldProps, 'label'>) {
  return (
    <TextField
      {...props}
      label="Code of your authenticator app"
      hint="Six digits, which change every half minute; each code is good once."
      inputMode="numeric"
      pattern="\s*[0-9]{3}\s*[0-9]{3}\s*"
      maxLength={16}
      autoComplete="one-time-code"
      isRequired
    />
  );
}
