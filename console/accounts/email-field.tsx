import { TextField, type TextFieldProps } from '../ui/fields.tsx';

export function EmailField(props: Omit<TextFieldProps, 'label'>) {
  return (
    <TextField
      {...props}
      label="E-mail address"
      type="email"
      maxLength={320}
      autoComplete="username"
      isRequired
    />
  );
}
