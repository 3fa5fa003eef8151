import { PasswordField, type TextFieldProps } from '../../components/fields.tsx';

export function NewPasswordField(props: TextFieldProps) {
  return (
    <PasswordField
      {...props}
      hint="8 to 200 characters. Several unrelated words make a good password."
      minLength={8}
      maxLength={200}
      autoComplete="new-password"
    />
  );
}
