import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAction } from '../../state/use-action.ts';
import { toAccessibleName } from '../text/accessible-name.ts';
import { showError } from '../page/notices.ts';

export interface ActionButtonProps {
  /** Label of the button. */
  children: string;
  onAction(): Promise<void>;
  kind?: 'primary' | 'danger' | 'plain' | 'default';
  isDisabled?: boolean;
  /**
   * Name of the thing that the button's action affects, added to the button's accessible name. Undefined if
   * the label names it.
   */
  about?: string | undefined;
  icon?: ReactNode;
  size?: 'xs' | 'sm';
  /** Keyboard shortcut that presses the button. */
  shortcut?: string;
}

/** Button that runs an asynchronous action and shows its error as a notice. */
export function ActionButton(props: ActionButtonProps) {
  const {
    children,
    onAction,
    kind = 'default',
    isDisabled = false,
    about,
    icon,
    size = 'sm',
    shortcut,
  } = props;
  const { run, isBusy } = useAction(onAction, ({ message }) => showError(message));
  return (
    <Button
      {...buttonKinds[kind]}
      size={size}
      leftSection={icon}
      aria-disabled={isDisabled || isBusy}
      data-inactive={isDisabled || isBusy || undefined}
      aria-busy={isBusy}
      aria-keyshortcuts={shortcut}
      aria-label={toAccessibleName(children, about)}
      onClick={() => {
        if (!isDisabled) run();
      }}
    >
      {children}
    </Button>
  );
}

/**
 * Props of Mantine's button for each kind of action button. Only the button that confirms a deletion is
 * filled red.
 */
export const buttonKinds = {
  primary: { variant: 'filled' },
  default: { variant: 'default' },
  danger: { variant: 'light', color: 'red' },
  plain: { variant: 'subtle', color: 'gray' },
} as const;
