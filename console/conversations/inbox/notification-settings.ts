import type { Client } from '../../client/client.ts';
import { Store } from '../../client/store.ts';
import type { ConsolePreferences, Me } from '../../client/types.ts';

export type NotificationChoices = ConsolePreferences['notifications'];

const URL = '/api/ext/console-preferences';
const PREFIX = 'parley.notifications.';

/** Everything is off until the user turns it on. */
const OFF: NotificationChoices = { waiting: false, assigned: false, reply: false, sound: false };

/**
 * Which notifications the user wants. The API stores them for a person; local storage shares them between
 * tabs, and keeps those of an API key.
 */
export class NotificationSettings extends Store<NotificationChoices> {
  readonly #client: Client;
  #name: string | null = null;
  #isPerson = false;

  constructor(client: Client) {
    super(OFF);
    this.#client = client;
  }

  /**
   * Loads the choices of the signed-in user.
   * @param read loads the preferences of the account, which other parts of the console need too
   */
  async load({ user, scopes }: Me, read: () => Promise<ConsolePreferences>): Promise<void> {
    this.#name = PREFIX + user.id;
    this.#isPerson = scopes === null;
    this.#readStored();
    if (!this.#isPerson) return;
    const { notifications } = await read();
    this.#store(notifications);
  }

  /**
   * Starts to apply changes from other tabs.
   * @returns function that stops this
   */
  start(): () => void {
    const handleStorage = ({ key }: StorageEvent): void => {
      if (key === this.#name) this.#readStored();
    };
    window.addEventListener('storage', handleStorage);
    return () => window.removeEventListener('storage', handleStorage);
  }

  async choose(changes: Partial<NotificationChoices>): Promise<void> {
    const before = this.value;
    this.#store({ ...before, ...changes });
    if (!this.#isPerson) return;
    try {
      await this.#client.patch<ConsolePreferences>(URL, { notifications: changes });
    } catch (error) {
      this.#store(before);
      throw error;
    }
  }

  #store(choices: NotificationChoices): void {
    this.set(choices);
    if (this.#name === null) return;
    // Leave nothing in the browser of users who want no notifications.
    if (Object.values(choices).some(Boolean)) localStorage.setItem(this.#name, JSON.stringify(choices));
    else localStorage.removeItem(this.#name);
  }

  #readStored(): void {
    const text = this.#name === null ? null : localStorage.getItem(this.#name);
    this.set(text === null ? OFF : { ...OFF, ...(JSON.parse(text) as NotificationChoices) });
  }
}
