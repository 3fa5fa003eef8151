import { PasswordField, TextField, type TextFieldProps } from '../components/forms/fields.tsx';

export type EntryFieldProps = Pick<TextFieldProps, 'value' | 'onChange' | 'problem' | 'isFocused'>;

export function EmailField({ isReadOnly, ...props }: EntryFieldProps & { isReadOnly?: boolean }) {
  return (
    <TextField
      {...props}
      name="email"
      label="Email"
      type="email"
      maxLength={320}
      autoComplete="username"
      isReadOnly={isReadOnly ?? false}
      isRequired
    />
  );
}

export function NameField(props: EntryFieldProps) {
  return (
    <TextField {...props} name="full_name" label="Your name" maxLength={255} autoComplete="name" isRequired />
  );
}

export function NewPasswordField({ label = 'Password', ...props }: EntryFieldProps & { label?: string }) {
  return (
    <PasswordField
      {...props}
      name="new_password"
      label={label}
      hint="At least 8 characters. A short phrase works well."
      minLength={8}
      maxLength={200}
      autoComplete="new-password"
    />
  );
}

/** Field for the six digits of a verification code that was emailed to the user. */
export function MailedCodeField(props: EntryFieldProps) {
  return (
    <TextField
      {...props}
      name="code"
      label="Verification code"
      hint="Enter the 6-digit code we emailed you."
      inputMode="numeric"
      pattern="\s*[0-9]{6}\s*"
      title="Enter all 6 digits of the code."
      autoComplete="one-time-code"
      isRequired
      isFocused
    />
  );
}
