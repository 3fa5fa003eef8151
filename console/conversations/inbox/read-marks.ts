import { Store } from '../../client/store.ts';

type Marks = Readonly<Record<string, string>>;

const PREFIX = 'parley.read.';

/**
 * Time up to which the user has read each conversation of the inbox. Local storage shares these times between
 * tabs.
 */
export class ReadMarks extends Store<Marks> {
  #name: string | null = null;

  constructor() {
    super({});
  }

  /**
   * Starts to apply changes of the read times from other tabs.
   * @returns function that stops applying changes
   */
  start(): () => void {
    const handleStorage = ({ key }: StorageEvent): void => {
      if (key === null || key === this.#name) this.#loadMarks();
    };
    window.addEventListener('storage', handleStorage);
    return () => window.removeEventListener('storage', handleStorage);
  }

  /** Loads the times up to which a member has read conversations. */
  setMember(memberId: string): void {
    this.#name = PREFIX + memberId;
    this.#loadMarks();
  }

  mark(conversationId: string, at: string): void {
    if (this.#name === null || (this.value[conversationId] ?? '') >= at) return;
    this.#storeMarks({ ...this.value, [conversationId]: at });
  }

  /** Removes the read times of conversations that are no longer in the inbox. */
  removeOthers(conversationIds: ReadonlySet<string>): void {
    const remainingEntries = Object.entries(this.value).filter(([id]) => conversationIds.has(id));
    if (remainingEntries.length < Object.keys(this.value).length)
      this.#storeMarks(Object.fromEntries(remainingEntries));
  }

  #loadMarks(): void {
    const text = this.#name === null ? null : localStorage.getItem(this.#name);
    this.set(text === null ? {} : (JSON.parse(text) as Marks));
  }

  #storeMarks(marks: Marks): void {
    if (this.#name !== null) localStorage.setItem(this.#name, JSON.stringify(marks));
    this.set(marks);
  }
}
