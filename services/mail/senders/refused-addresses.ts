import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { Database } from '../../../database/database.ts';
import type { RefusedAddressRepository } from '../../../repositories/mail/refused-address.repository.ts';

/** Stores email addresses that their mail server has reported as nonexistent. */
export class RefusedAddresses {
  readonly #rows: RefusedAddressRepository;
  readonly #keyring: Keyring;

  constructor(rows: RefusedAddressRepository, keyring: Keyring) {
    this.#rows = rows;
    this.#keyring = keyring;
  }

  async has(db: Database, address: string): Promise<boolean> {
    return (await this.#rows.list(db, [this.#digestAddress(address)])).size > 0;
  }

  async record(db: Database, address: string, reason: string): Promise<void> {
    await this.#rows.upsert(db, this.#digestAddress(address), reason);
  }

  async forget(db: Database, address: string): Promise<void> {
    await this.#rows.delete(db, this.#digestAddress(address));
  }

  /** Returns the recipients whose email address no mail server has reported as nonexistent. */
  async excludeRefused<T extends { email: string }>(db: Database, readers: readonly T[]): Promise<T[]> {
    const refused = await this.#rows.list(
      db,
      readers.map(({ email }) => this.#digestAddress(email)),
    );
    return readers.filter(({ email }) => !refused.has(this.#digestAddress(email)));
  }

  #digestAddress(address: string): string {
    return this.#keyring.digest('refused-address', address.toLowerCase());
  }
}
