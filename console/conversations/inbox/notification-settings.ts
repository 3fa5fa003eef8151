import type { QueryClient } from '@tanstack/react-query';
import type { Client } from '../../client/client.ts';
import { Store } from '../../client/store.ts';
import type { ConsolePreferences, Me } from '../../client/types.ts';
import { followPreferences, loadPreferences, savePreferences } from '../../state/preferences.ts';

export type NotificationChoices = ConsolePreferences['notifications'];

const PREFIX = 'parley.notifications.';

/** Choices while the user has not chosen any: all notifications are off. */
const OFF: NotificationChoices = { waiting: false, assigned: false, reply: false, sound: false };

/**
 * The user's choice of notifications. The API stores the choice of a person. Local storage shares the choice
 * between tabs, and is the only storage for a user of an API key.
 */
export class NotificationSettings extends Store<NotificationChoices> {
  readonly #client: Client;
  readonly #queries: QueryClient;
  #name: string | null = null;
  #isPerson = false;

  constructor(client: Client, queries: QueryClient) {
    super(OFF);
    this.#client = client;
    this.#queries = queries;
  }

  /** Loads the signed-in user's choices of notifications. */
  async load({ user, scopes }: Me): Promise<void> {
    this.#name = PREFIX + user.id;
    this.#isPerson = scopes === null;
    this.#readStored();
    if (!this.#isPerson) return;
    const { notifications } = await loadPreferences(this.#client, this.#queries);
    this.#store(notifications);
  }

  /**
   * Starts to apply changes to the choices of notifications from other tabs and devices.
   * @returns function that stops applying changes
   */
  start(): () => void {
    const handleStorage = ({ key }: StorageEvent): void => {
      if (key === this.#name) this.#readStored();
    };
    window.addEventListener('storage', handleStorage);
    const stop = followPreferences(this.#queries, ({ notifications }) => this.#store(notifications));
    return () => {
      window.removeEventListener('storage', handleStorage);
      stop();
    };
  }

  async choose(changes: Partial<NotificationChoices>): Promise<void> {
    const before = this.value;
    this.#store({ ...before, ...changes });
    if (!this.#isPerson) return;
    try {
      await savePreferences(this.#client, this.#queries, { notifications: changes });
    } catch (error) {
      this.#store(before);
      throw error;
    }
  }

  #store(choices: NotificationChoices): void {
    this.set(choices);
    if (this.#name === null) return;
    // Store nothing in the browsers of users without notifications.
    if (Object.values(choices).some(Boolean)) localStorage.setItem(this.#name, JSON.stringify(choices));
    else localStorage.removeItem(this.#name);
  }

  #readStored(): void {
    const text = this.#name === null ? null : localStorage.getItem(this.#name);
    this.set(text === null ? OFF : { ...OFF, ...(JSON.parse(text) as NotificationChoices) });
  }
}
