import { Store } from './store.ts';

type Changed = Readonly<Record<string, unknown>>;

/** Unsaved changes by form. They survive while the user visits other pages. */
export class FormDrafts extends Store<Readonly<Record<string, Changed>>> {
  constructor() {
    super({});
  }

  /**
   * Asks before the tab closes or reloads with unsaved changes.
   * @returns function that stops it
   */
  start(): () => void {
    const ask = (event: BeforeUnloadEvent): void => {
      if (Object.keys(this.value).length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }

  clear(): void {
    this.set({});
  }

  put(form: string, changed: Changed): void {
    const { [form]: _before, ...others } = this.value;
    this.set(Object.keys(changed).length === 0 ? others : { ...others, [form]: changed });
  }
}
