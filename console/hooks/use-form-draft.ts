import { useSession } from '../session/session.tsx';
import { useStore } from './store.ts';

export interface FormDraft<T> {
  /** Stored values, overridden by unsaved changes. */
  draft: T;
  isChanged: boolean;
  change(changed: Partial<T>): void;
  /**
   * Drops the unsaved changes that were saved.
   * @param sent values of the form when it was submitted; later changes stay unsaved
   */
  markSaved(sent: T): void;
  discard(): void;
}

/**
 * Provides the values of a form. Unsaved changes survive visits to other pages of the console.
 * @param form unique key of the form
 * @param stored current stored values, shown in fields without unsaved changes
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
