import type { Readable } from 'node:stream';
import type { ObjectStorage, StoredObject } from '../../adapters/storage/object-storage.ts';

/** An object storage that runs a callback once: before it stores file number `turn`. */
export class InterruptedStorage implements ObjectStorage {
  readonly #storage: ObjectStorage;
  readonly #turn: number;
  readonly #interrupt: (content: Readable) => Readable | Promise<Readable>;
  puts = 0;

  /** @param interrupt callback that returns the content to store instead */
  constructor(
    storage: ObjectStorage,
    turn: number,
    interrupt: (content: Readable) => Readable | Promise<Readable>,
  ) {
    this.#storage = storage;
    this.#turn = turn;
    this.#interrupt = interrupt;
  }

  get wasInterrupted(): boolean {
    return this.puts >= this.#turn;
  }

  async put(key: string, content: Readable): Promise<StoredObject> {
    this.puts += 1;
    return this.#storage.put(key, this.puts === this.#turn ? await this.#interrupt(content) : content);
  }
  open = (key: string) => this.#storage.open(key);
  delete = (key: string) => this.#storage.delete(key);
  deletePrefix = (prefix: string) => this.#storage.deletePrefix(prefix);
  check = () => this.#storage.check();
}
