/**
 * Where what has the focus leaves the page, as the button does that claims a conversation or deletes a row, the focus stays
 * around it: the browser would begin at the top again. It goes to nothing that a second Enter would set off.
 * @returns ends it
 */
export function keepFocus(): () => void {
  /** What has the focus, then what is around it. */
  let way: HTMLElement[] = [];
  const come = ({ target }: FocusEvent): void => {
    way = target instanceof HTMLElement ? wayOf(target) : [];
  };
  const go = ({ target }: FocusEvent): void => {
    // What has been removed is connected no more once the page is drawn; what still is was left by its person.
    queueMicrotask(() => {
      if (target === way[0] && way[0]?.isConnected && document.activeElement === document.body) way = [];
    });
  };
  const observer = new MutationObserver(() => {
    if (way[0] === undefined || way[0].isConnected || document.activeElement !== document.body) return;
    const around = way.find(({ isConnected }) => isConnected);
    if (around !== undefined) focusOn(around.closest('main, body') === around ? headingOf(around) : around);
  });
  document.addEventListener('focusin', come);
  document.addEventListener('focusout', go);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', come);
    document.removeEventListener('focusout', go);
    observer.disconnect();
  };
}

function wayOf(element: HTMLElement): HTMLElement[] {
  const { parentElement: around } = element;
  return around === null ? [element] : [element, ...wayOf(around)];
}

/** Of a page that is another one now. */
function headingOf(page: HTMLElement): HTMLElement {
  return page.querySelector('h1') ?? page;
}

function focusOn(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}
