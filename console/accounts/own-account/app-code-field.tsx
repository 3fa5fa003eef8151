import { TextField, type TextFieldProps } from '../../components/forms/fields.tsx';

/** Input for a six-digit code of an authenticator app. */
export function AppCodeField(props: Omit<TextFieldProps, 'label'>) {
  return (
    <TextField
      {...props}
      label="6-digit code"
      hint="Enter the current code from your app."
      inputMode="numeric"
      pattern="\s*[0-9]{3}\s*[0-9]{3}\s*"
      title="Enter the six digits that your app shows."
      maxLength={16}
      autoComplete="one-time-code"
      isRequired
    />
  );
}
