import { Store } from '../client/store.ts';

type ChangedFields = Readonly<Record<string, unknown>>;

/**
 * Unsaved changes to forms, by key of the form. These changes survive visits to other pages of the console.
 */
export class FormDrafts extends Store<Readonly<Record<string, ChangedFields>>> {
  constructor() {
    super({});
  }

  /**
   * Makes the browser ask the user for confirmation before a tab with unsaved changes closes or reloads.
   * @returns function that stops asking
   */
  start(): () => void {
    const warnBeforeUnload = (event: BeforeUnloadEvent): void => {
      if (Object.keys(this.value).length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', warnBeforeUnload);
    return () => window.removeEventListener('beforeunload', warnBeforeUnload);
  }

  clear(): void {
    this.set({});
  }

  put(form: string, changed: ChangedFields): void {
    const { [form]: _before, ...others } = this.value;
    this.set(Object.keys(changed).length === 0 ? others : { ...others, [form]: changed });
  }
}
