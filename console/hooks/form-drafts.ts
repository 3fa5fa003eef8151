import { Store } from './store.ts';

type Changed = Readonly<Record<string, unknown>>;

/** What somebody has changed in forms and not saved, by form: it is there again when they come back to the page. */
export class FormDrafts extends Store<Readonly<Record<string, Changed>>> {
  constructor() {
    super({});
  }

  /** Asks before the tab is closed or loaded anew, which would lose what is not saved. @returns ends it */
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
