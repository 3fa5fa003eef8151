import { useEffect } from 'react';
import { areShortcutsOn, isShortcut } from '../../shell/shortcuts.ts';

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** Lets J and K, and the arrow keys within the list, move the focus between the rows of the inbox. */
export function useRowKeys(): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      const step = STEPS[event.key];
      if (step === undefined || !isShortcut(event) || !areShortcutsOn()) return;
      const rows = [...document.querySelectorAll<HTMLElement>('.inbox-row')];
      const isArrow = event.key.startsWith('Arrow');
      const isElsewhere = document.activeElement?.closest('.list-pane') === null;
      if (isArrow && isElsewhere && document.activeElement !== document.body) return;
      const at = rows.findIndex((row) => row === document.activeElement);
      const current = at === -1 ? rows.findIndex((row) => row.hasAttribute('aria-current')) : at;
      const next = rows[current === -1 && step < 0 ? rows.length - 1 : current + step];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}
