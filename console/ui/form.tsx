import type { ComponentProps } from 'preact';

export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit(): void;
}

/** A form that the page handles itself. */
export function Form({ onSubmit, ...props }: FormProps) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
