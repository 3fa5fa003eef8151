import { deleteDrafts, hasDrafts } from '../conversations/conversation/drafts.ts';
import { generations } from '../bots/generation/generations.ts';
import { FormDrafts } from '../hooks/form-drafts.ts';

const AUTHOR = 'parley.author';

/** Unsaved changes in the forms of this page. */
export const forms = new FormDrafts();

/**
 * Assigns unsaved work to a user. It survives the end of the session and returns at the next sign-in; the sign-in of
 * another user deletes it.
 */
export function assignUnsavedWork(userId: string): void {
  const author = sessionStorage.getItem(AUTHOR);
  if (author !== null && author !== userId) deleteUnsavedWork();
  sessionStorage.setItem(AUTHOR, userId);
}

/** Deletes unsaved work; called on signing out. */
export function deleteUnsavedWork(): void {
  deleteDrafts();
  forms.clear();
  generations.forget();
  sessionStorage.removeItem(AUTHOR);
}

/** Whether unsaved work exists, which only its author may see. */
export function hasUnsavedWork(): boolean {
  return hasDrafts() || generations.value !== null || Object.keys(forms.value).length > 0;
}
