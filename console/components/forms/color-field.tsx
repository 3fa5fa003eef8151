import { ColorInput } from '@mantine/core';
import { useTextControl, type FieldProps, type TextFieldProps } from './fields.tsx';

/** Input for a color as #rrggbb, which the user enters or picks. */
export function ColorField(props: FieldProps<string> & Pick<TextFieldProps, 'isRequired' | 'placeholder'>) {
  const control = useTextControl({ ...props, pattern: '#[0-9A-Fa-f]{6}', maxLength: 7 });
  return (
    <ColorInput
      {...control}
      format="hex"
      withEyeDropper={false}
      title="Enter a color such as #4f46e5."
      onChange={props.onChange}
    />
  );
}
