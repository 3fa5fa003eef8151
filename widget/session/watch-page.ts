export interface PageListeners {
  /**
   * Called when the page is shown, hidden or focused.
   * @param isAttended whether the visitor is using this page now
   */
  onAttention(isAttended: boolean): void;
  /** Called when the visitor leaves the page. The browser may keep it for a return by its history. */
  onLeave(): void;
  /** Called when the browser shows the page again that it has kept. */
  onReturn(): void;
}

/** Watches whether the visitor is using the page. */
export function watchPage({ onAttention, onLeave, onReturn }: PageListeners): void {
  document.addEventListener('visibilitychange', () => onAttention(document.visibilityState === 'visible'));
  // Listen to `focus` as well: of several windows side by side, all are visible, but only one has the focus.
  window.addEventListener('focus', () => onAttention(true));
  window.addEventListener('pagehide', onLeave);
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) onReturn();
  });
}
