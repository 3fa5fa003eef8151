import { TextField, type TextFieldProps } from '../ui/fields.tsx';

/** What the person is called. */
export function NameField(props: Omit<TextFieldProps, 'label'>) {
  return <TextField {...props} label="Your name" maxLength={255} autoComplete="name" isRequired />;
}
