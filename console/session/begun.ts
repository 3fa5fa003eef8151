import { forgetDrafts, hasDrafts } from '../conversations/conversation/drafts.ts';
import { generations } from '../bots/generation/generations.ts';
import { FormDrafts } from '../hooks/form-drafts.ts';

const AUTHOR = 'parley.author';

/** What somebody has changed in forms of this page and not saved. */
export const forms = new FormDrafts();

/**
 * What somebody has begun outlives their session, which may end while they type: it is there again when they sign in
 * the next time, and gone when somebody else does.
 */
export function belongTo(userId: string): void {
  const author = sessionStorage.getItem(AUTHOR);
  if (author !== null && author !== userId) forgetBegun();
  sessionStorage.setItem(AUTHOR, userId);
}

/** Called when somebody signs out. */
export function forgetBegun(): void {
  forgetDrafts();
  forms.clear();
  generations.forget();
  sessionStorage.removeItem(AUTHOR);
}

/** Whether there is something that is for its author alone. */
export function hasBegun(): boolean {
  return hasDrafts() || generations.value !== null || Object.keys(forms.value).length > 0;
}
