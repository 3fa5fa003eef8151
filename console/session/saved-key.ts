const NAME = 'parley.console.key';

/** Kept until the tab is closed, or until somebody signs out where they want to stay signed in. */
export function savedKey(): string | null {
  return sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME);
}

export function saveKey(apiKey: string, isToStay: boolean): void {
  forgetKey();
  (isToStay ? localStorage : sessionStorage).setItem(NAME, apiKey);
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
}

/** Calls when another tab has forgotten a key that was to stay. @returns ends that */
export function onForgottenElsewhere(call: () => void): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    if ((key === NAME || key === null) && newValue === null && savedKey() === null) call();
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}
