import type { ComponentProps } from 'preact';

export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit(): void;
  /** Whether the form can be submitted. */
  isReady?: boolean;
}

/**
 * Form with a submit handler. Its button is `aria-disabled` while inactive: a disabled button loses the focus, and
 * keyboard users would start again at the top of the page.
 */
export function Form({ onSubmit, isReady = true, ...props }: FormProps) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onSubmit();
      }}
    />
  );
}
