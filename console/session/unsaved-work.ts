import { deleteDrafts, hasDrafts } from '../conversations/conversation/drafts.ts';
import { generations } from '../bots/generation/generations.ts';
import { FormDrafts } from '../state/form-drafts.ts';

const AUTHOR = 'parley.author';

/** Unsaved changes to all forms of the console in this tab. */
export const forms = new FormDrafts();

/**
 * Records the user as the author of all unsaved work. The work survives the end of the session. If another
 * user signs in, the work is deleted.
 */
export function assignUnsavedWork(userId: string): void {
  const author = sessionStorage.getItem(AUTHOR);
  if (author !== null && author !== userId) deleteUnsavedWork();
  sessionStorage.setItem(AUTHOR, userId);
}

/** Deletes all unsaved changes to forms, when the user signs out. */
export function deleteUnsavedWork(): void {
  deleteDrafts();
  forms.clear();
  generations.forget();
  sessionStorage.removeItem(AUTHOR);
}

/** Whether this tab has unsaved changes to forms, which only their author may see. */
export function hasUnsavedWork(): boolean {
  return hasDrafts() || generations.value !== null || Object.keys(forms.value).length > 0;
}
