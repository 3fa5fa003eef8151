import { PasswordField, type TextFieldProps } from '../ui/fields.tsx';

export function NewPasswordField(props: TextFieldProps) {
  return (
    <PasswordField
      {...props}
      hint="8 to 200 characters of any kind. Several words that belong together to nobody but you are good."
      minLength={8}
      maxLength={200}
      autoComplete="new-password"
    />
  );
}
