/**
 * Keeps the focus near an element that is removed while focused, such as the button that deletes a row. Otherwise the
 * browser would start at the top again. Never focuses an element that a second Enter would activate.
 * @returns function that stops it
 */
export function keepFocus(): () => void {
  /** The focused element and its ancestors. */
  let way: HTMLElement[] = [];
  const handleFocus = ({ target }: FocusEvent): void => {
    way = target instanceof HTMLElement ? listAncestors(target) : [];
  };
  const handleBlur = ({ target }: FocusEvent): void => {
    // After rendering, a removed element is disconnected. If it is still connected, the user moved the focus away.
    queueMicrotask(() => {
      if (target === way[0] && way[0]?.isConnected && document.activeElement === document.body) way = [];
    });
  };
  const observer = new MutationObserver(() => {
    if (way[0] === undefined || way[0].isConnected || document.activeElement !== document.body) return;
    const around = way.find(({ isConnected }) => isConnected);
    if (around !== undefined) focusOn(around.closest('main, body') === around ? findHeading(around) : around);
  });
  document.addEventListener('focusin', handleFocus);
  document.addEventListener('focusout', handleBlur);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', handleFocus);
    document.removeEventListener('focusout', handleBlur);
    observer.disconnect();
  };
}

function listAncestors(element: HTMLElement): HTMLElement[] {
  const { parentElement: around } = element;
  return around === null ? [element] : [element, ...listAncestors(around)];
}

/** Returns the heading of a page that replaced the former one. */
function findHeading(page: HTMLElement): HTMLElement {
  return page.querySelector('h1') ?? page;
}

function focusOn(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}
