import { useSession } from '../session/session.tsx';
import { useStore } from './store.ts';

export interface FormDraft<T> {
  /** What is stored, with what was changed and is not saved. */
  draft: T;
  isChanged: boolean;
  change(changed: Partial<T>): void;
  /** What was typed since this was sent stays. */
  saved(sent: T): void;
  discard(): void;
}

/**
 * A form’s fields, which keep what somebody has typed while they look at other pages.
 * @param form a name of its own
 * @param stored as it is now: what a colleague changes elsewhere in it meanwhile is shown
 */
export function useFormDraft<T extends object>(form: string, stored: T): FormDraft<T> {
  const { forms } = useSession();
  const changed = useStore(forms)[form] as Partial<T> | undefined;
  const keep = (all: object, known: T): void => {
    const news = Object.entries(all).filter(([name, value]) => value !== known[name as keyof T]);
    forms.put(form, Object.fromEntries(news));
  };
  return {
    draft: { ...stored, ...changed },
    isChanged: changed !== undefined,
    change: (more) => keep({ ...forms.value[form], ...more }, stored),
    saved: (sent) => keep(forms.value[form] ?? {}, sent),
    discard: () => forms.put(form, {}),
  };
}
