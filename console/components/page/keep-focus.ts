/**
 * Selector of the elements around a page's whole content. If only these remain, a dialog or the page's
 * heading gets the focus.
 */
const PAGE = 'main, body';

/** Selector of the element around all dialogs, which must not get the focus after a dialog has closed. */
const PORTAL = '[data-portal]';

/**
 * Moves the focus to the nearest remaining ancestor when the focused element is removed, for example a row's
 * delete button. Without this function, the browser would reset the focus to the start of the page. Never
 * focuses a button, because a second Enter would press it.
 * @returns function that ends the observation
 */
export function keepFocus(): () => void {
  /** The element that has the focus, followed by its ancestors. */
  let focusPath: HTMLElement[] = [];
  const handleFocus = ({ target }: FocusEvent): void => {
    focusPath = target instanceof HTMLElement ? listAncestors(target) : [];
  };
  const handleBlur = ({ target }: FocusEvent): void => {
    // Check after the DOM update whether the element was removed. An element that still exists lost the focus
    // because the user moved it.
    queueMicrotask(() => {
      if (target === focusPath[0] && focusPath[0]?.isConnected && document.activeElement === document.body)
        focusPath = [];
    });
  };
  const observer = new MutationObserver(() => {
    if (focusPath[0] === undefined || focusPath[0].isConnected || document.activeElement !== document.body)
      return;
    const around = focusPath.find((element) => element.isConnected && !element.matches(PORTAL));
    if (around === undefined) return;
    focusOn(around.matches(PAGE) ? (findTopDialog() ?? findHeading(around)) : around);
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

/** Returns the dialog that covers the page and all other dialogs. */
function findTopDialog(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')].at(-1);
}

/**
 * Returns the heading of a page, or the page itself if it has no heading. The heading gets the focus if the
 * previous page was removed.
 */
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
