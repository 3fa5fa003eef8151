import { createFormDraft, type FormDraft } from './form-draft.ts';
import { useStore } from './use-store.ts';
import { useSession } from '../session/session.tsx';

/** Provides the values of a form. Unsaved changes survive visits to other pages of the console. */
export function useFormDraft<T extends object>(form: string, stored: T): FormDraft<T> {
  const { forms } = useSession();
  return createFormDraft(forms, form, stored, useStore(forms)[form] as Partial<T> | undefined);
}
