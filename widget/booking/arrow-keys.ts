const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Moves the focus among the buttons of a group, which is one tab stop, by the arrow keys, Home and End. */
export function moveAmong(event: KeyboardEvent): void {
  const group = event.currentTarget as HTMLElement;
  const buttons = [...group.querySelectorAll('button')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const next =
    event.key === 'Home' ? 0 : event.key === 'End' ? buttons.length - 1 : at + stepOf(event, group);
  const target = buttons[next];
  if (at < 0 || next === at || !target) return;
  event.preventDefault();
  buttons[at]!.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}

function stepOf({ key }: KeyboardEvent, group: HTMLElement): number {
  const isAlong = key === 'ArrowRight' || key === 'ArrowLeft';
  const isMirrored = isAlong && getComputedStyle(group).direction === 'rtl';
  return (STEPS[key] ?? 0) * (isMirrored ? -1 : 1);
}
