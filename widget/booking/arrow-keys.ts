const KEY_STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Moves the focus among the buttons of a group, which is one tab stop, when the visitor presses an arrow key,
 * Home or End.
 */
export function moveFocus(event: KeyboardEvent): void {
  const group = event.currentTarget as HTMLElement;
  const buttons = [...group.querySelectorAll('button')];
  const index = buttons.indexOf(event.target as HTMLButtonElement);
  const nextIndex =
    event.key === 'Home' ? 0 : event.key === 'End' ? buttons.length - 1 : index + readStep(event, group);
  const target = buttons[nextIndex];
  if (index < 0 || nextIndex === index || !target) return;
  event.preventDefault();
  buttons[index]!.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}

function readStep({ key }: KeyboardEvent, group: HTMLElement): number {
  const isAlong = key === 'ArrowRight' || key === 'ArrowLeft';
  const isMirrored = isAlong && getComputedStyle(group).direction === 'rtl';
  return (KEY_STEPS[key] ?? 0) * (isMirrored ? -1 : 1);
}
