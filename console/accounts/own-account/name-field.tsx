import { TextField, type TextFieldProps } from '../../components/forms/fields.tsx';

export function NameField(props: Omit<TextFieldProps, 'label'>) {
  return <TextField {...props} label="Your name" maxLength={255} autoComplete="name" isRequired />;
}
