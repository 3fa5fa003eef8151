import { useEffect } from 'preact/hooks';
import { Store, useStore } from '../hooks/store.ts';

interface Notice {
  id: number;
  text: string;
  isProblem: boolean;
  /** Page on which the notice was shown first. The notice disappears when the user opens another page. */
  place: string;
}

const SHOWN_MS = 6000;

const notices = new Store<readonly Notice[]>([]);
let lastId = 0;

/** Shows a confirmation for some seconds. */
export function showConfirmation(text: string): void {
  const id = addNotice(text, false);
  window.setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Shows an error until the user dismisses it. */
export function showError(text: string): void {
  if (!notices.value.some((notice) => notice.isProblem && notice.text === text)) addNotice(text, true);
}

function addNotice(text: string, isProblem: boolean): number {
  lastId += 1;
  notices.set([...notices.value, { id: lastId, text, isProblem, place: getCurrentPlace() }]);
  return lastId;
}

function dismiss(id: number): void {
  notices.set(notices.value.filter((notice) => notice.id !== id));
}

/** Returns the path of the current page, without its filters. */
function getCurrentPlace(): string {
  return window.location.hash.split('?')[0] ?? '';
}

function removeOtherNotices(): void {
  const place = getCurrentPlace();
  notices.set(notices.value.filter((notice) => notice.place === place));
}

/**
 * Shows all notices. Confirmations float over the page for some seconds; errors stand above it, so that they
 * cover nothing.
 */
export function Notices() {
  const shown = useStore(notices);
  useEffect(() => {
    window.addEventListener('hashchange', removeOtherNotices);
    return () => window.removeEventListener('hashchange', removeOtherNotices);
  }, []);
  return (
    <>
      <div class="notices" role="status" aria-live="polite">
        {shown
          .filter(({ isProblem }) => !isProblem)
          .map((notice) => (
            <Toast key={notice.id} {...notice} />
          ))}
      </div>
      <div class="problems">
        {shown
          .filter(({ isProblem }) => isProblem)
          .map((notice) => (
            <Toast key={notice.id} {...notice} />
          ))}
      </div>
    </>
  );
}

function Toast({ id, text, isProblem }: Notice) {
  return (
    <div class={isProblem ? 'toast problem' : 'toast'} role={isProblem ? 'alert' : undefined}>
      <span>{text}</span>
      <button type="button" class="plain" aria-label="Dismiss" onClick={() => dismiss(id)}>
        ×
      </button>
    </div>
  );
}
