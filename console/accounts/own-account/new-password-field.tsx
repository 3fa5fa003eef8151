import { PasswordField, type TextFieldProps } from '../../components/forms/fields.tsx';

export function NewPasswordField(props: TextFieldProps) {
  return (
    <PasswordField
      {...props}
      hint="At least 8 characters. A short phrase works well."
      minLength={8}
      maxLength={200}
      autoComplete="new-password"
    />
  );
}
