import { useSession } from '../session/session.tsx';
import { useStore } from './store.ts';

export interface FormDraft<T> {
  /** The stored values with the unsaved changes. */
  draft: T;
  isChanged: boolean;
  change(changed: Partial<T>): void;
  /** Discards the changes that were sent; keeps those typed since. */
  markSaved(sent: T): void;
  discard(): void;
}

/**
 * Holds the values of a form. Unsaved changes survive while the user visits other pages.
 * @param form unique key of the form
 * @param stored present values; changes made elsewhere show in unchanged fields
 */
export function useFormDraft<T extends object>(form: string, stored: T): FormDraft<T> {
  const { forms } = useSession();
  const changed = useStore(forms)[form] as Partial<T> | undefined;
  const storeChanges = (all: object, known: T): void => {
    const news = Object.entries(all).filter(([name, value]) => value !== known[name as keyof T]);
    forms.put(form, Object.fromEntries(news));
  };
  return {
    draft: { ...stored, ...changed },
    isChanged: changed !== undefined,
    change: (more) => storeChanges({ ...forms.value[form], ...more }, stored),
    markSaved: (sent) => storeChanges(forms.value[form] ?? {}, sent),
    discard: () => forms.put(form, {}),
  };
}
