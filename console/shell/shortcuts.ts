import { useEffect } from 'react';

const NAME = 'parley.shortcuts';
const OFF = 'off';

/**
 * Selector of elements in which a pressed key types, moves or chooses something, so that it is no shortcut.
 */
const TYPING = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="dialog"]';

/** Whether single-key shortcuts are turned on in this browser, as they are by default. */
export function areShortcutsOn(): boolean {
  return localStorage.getItem(NAME) !== OFF;
}

export function switchShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, OFF);
}

/**
 * Whether a key event may be a single-key shortcut: without a modifier, outside of fields, menus and dialogs.
 */
export function isShortcut(event: KeyboardEvent): boolean {
  const isPlain = !(
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.isComposing ||
    event.defaultPrevented
  );
  const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
  return isPlain && !isTyping && document.querySelector('[role="dialog"], [role="menu"]') === null;
}

/**
 * Handles single-key shortcuts. A pressed key activates the control with this key in `aria-keyshortcuts`: a
 * field gets the focus, a button is clicked.
 */
export function useShortcuts(): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (!isShortcut(event) || (!areShortcutsOn() && event.key !== '?')) return;
      const control = [...document.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')].find(
        (each) =>
          each.getAttribute('aria-keyshortcuts')?.toLowerCase() === event.key.toLowerCase() &&
          each.checkVisibility(),
      );
      if (control === undefined) return;
      event.preventDefault();
      if (control.matches('input, textarea')) control.focus();
      else control.click();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}
