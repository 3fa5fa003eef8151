import { Store } from '../../client/store.ts';
import { location } from '../../router.ts';

export interface Notice {
  id: number;
  text: string;
  isProblem: boolean;
  action?: NoticeAction | undefined;
  /**
   * Page on which the notice was shown first. The notice disappears when the user opens another page, unless
   * it has an action.
   */
  path: string;
}

/** Button of a notice, such as “Undo”. */
export interface NoticeAction {
  name: string;
  run(): void;
}

const SHOWN_MS = 6000;

export const notices = new Store<readonly Notice[]>([]);
let lastId = 0;

/** Shows a confirmation for a few seconds, in place of the previous confirmation. */
export function showConfirmation(text: string, action?: NoticeAction): void {
  notices.set(notices.value.filter(({ isProblem }) => isProblem));
  const id = addNotice(text, false, action);
  window.setTimeout(() => dismissNotice(id), SHOWN_MS);
}

/** Shows an error notice until the user dismisses it. */
export function showError(text: string): void {
  if (!notices.value.some((notice) => notice.isProblem && notice.text === text)) addNotice(text, true);
}

function addNotice(text: string, isProblem: boolean, action?: NoticeAction): number {
  lastId += 1;
  notices.set([...notices.value, { id: lastId, text, isProblem, action, path: getCurrentPath() }]);
  return lastId;
}

export function dismissNotice(id: number): void {
  notices.set(notices.value.filter((notice) => notice.id !== id));
}

/** Returns the path of the current page, without the page's filters. */
function getCurrentPath(): string {
  return location.value.split('?')[0] ?? '';
}

/**
 * Removes notices about other pages whenever the user opens a page.
 * @returns function that stops the removal
 */
export function followPages(): () => void {
  return location.subscribe(() => {
    const path = getCurrentPath();
    notices.set(notices.value.filter((notice) => notice.action !== undefined || notice.path === path));
  });
}
