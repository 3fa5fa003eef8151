import type { FormDrafts } from './form-drafts.ts';

export interface FormDraft<T> {
  /** Stored values of the form, overridden by unsaved changes. */
  draft: T;
  isChanged: boolean;
  change(changed: Partial<T>): void;
  /**
   * Drops the form's unsaved changes that were saved.
   * @param sent values of the form when it was submitted; later changes stay unsaved
   */
  markSaved(sent: T): void;
  discard(): void;
}

/**
 * Provides the values of a form. Unsaved changes survive visits to other pages of the console.
 * @param form unique key of the form
 * @param stored current stored values, shown in fields without unsaved changes
 * @param changed unsaved changes of the form
 */
export function createFormDraft<T extends object>(
  forms: FormDrafts,
  form: string,
  stored: T,
  changed: Partial<T> | undefined,
): FormDraft<T> {
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
