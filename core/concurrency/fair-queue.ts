import { FairShare } from './fair-share.ts';

export interface FairQueueOptions {
  /** Pieces of work at once. */
  places: number;
  /** One each for holders that have none, where others have taken those. */
  keptPlaces?: number;
  /** Further ones that wait for a place. */
  waitingPlaces: number;
  longestWaitMs: number;
}

interface Waiting {
  holder: string;
  go: () => void;
}

/**
 * Places for long work, and a room to wait in, both shared by `FairShare`: whoever brings a lot finds neither the last
 * place nor the last chair, which are for those who bring little.
 */
export class FairQueue {
  readonly #places: FairShare;
  readonly #room: FairShare;
  readonly #longestWaitMs: number;
  #waiting: Waiting[] = [];

  constructor({ places, keptPlaces = 0, waitingPlaces, longestWaitMs }: FairQueueOptions) {
    this.#places = new FairShare(places, keptPlaces);
    this.#room = new FairShare(waitingPlaces);
    this.#longestWaitMs = longestWaitMs;
  }

  /**
   * Does the work once the holder has a place; answers `out_of_turn` without having done it where the holder's others
   * fill its share of the room, or when it has waited for long.
   * @throws the signal's reason while it waits
   */
  async run<T>(
    holder: string,
    work: () => Promise<T>,
    signal: AbortSignal,
    longestWaitMs = this.#longestWaitMs,
  ): Promise<T | 'out_of_turn'> {
    if (!(await this.#take(holder, signal, longestWaitMs))) return 'out_of_turn';
    try {
      return await work();
    } finally {
      this.#places.giveBack(holder);
      this.#admit();
    }
  }

  async #take(holder: string, signal: AbortSignal, longestWaitMs: number): Promise<boolean> {
    signal.throwIfAborted();
    if (this.#places.roomOf(holder) > 0) {
      this.#places.take(holder);
      return true;
    }
    if (this.#room.roomOf(holder) === 0) return false;
    this.#room.take(holder);
    try {
      return await this.#wait(holder, signal, longestWaitMs);
    } finally {
      this.#room.giveBack(holder);
    }
  }

  #wait(holder: string, signal: AbortSignal, longestWaitMs: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const waiting: Waiting = { holder, go: () => (leave(), resolve(true)) };
      const abort = (): void => (leave(), reject(signal.reason as Error));
      const timer = setTimeout(() => (leave(), resolve(false)), longestWaitMs);
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiting);
    });
  }

  /** Those who hold the fewest places come first, and among them who has waited longest. */
  #admit(): void {
    for (;;) {
      const [next] = this.#waiting
        .filter(({ holder }) => this.#places.roomOf(holder) > 0)
        .toSorted((a, b) => this.#places.takenBy(a.holder) - this.#places.takenBy(b.holder));
      if (!next) return;
      this.#places.take(next.holder);
      next.go();
    }
  }
}
