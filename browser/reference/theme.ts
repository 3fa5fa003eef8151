const STORED = 'parley-reference-theme';

/**
 * Adds the function of a button that switches between a light and a dark color scheme. Until a reader presses
 * the button, the system's scheme applies.
 */
export function addThemeButton(button: HTMLButtonElement): void {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = (): boolean => (root.dataset['theme'] ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const updateLabel = (): void => void (button.textContent = isDark() ? 'Light' : 'Dark');
  const stored = localStorage.getItem(STORED);
  if (stored !== null) root.dataset['theme'] = stored;
  button.addEventListener('click', () => {
    root.dataset['theme'] = isDark() ? 'light' : 'dark';
    localStorage.setItem(STORED, root.dataset['theme']);
    updateLabel();
  });
  system.addEventListener('change', updateLabel);
  updateLabel();
  button.hidden = false;
}
