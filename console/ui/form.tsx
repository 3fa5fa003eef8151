import type { ComponentProps } from 'preact';

export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit(): void;
  /** Whether there is something to submit yet. */
  isReady?: boolean;
}

/**
 * A form that the page handles itself. Its button is `aria-disabled` while it can do nothing: one that is disabled loses the
 * focus, and whoever works without a mouse begins at the top of the page again.
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
