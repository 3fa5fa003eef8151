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

export interface TurnOptions {
  longestWaitMs?: number;
  /** Goes before what else its holder has waiting, and takes the chair of that where there is none; never before others. */
  isUrgent?: boolean;
}

type Whose = Pick<Waiting, 'holder' | 'isUrgent'>;

interface Waiting {
  holder: string;
  isUrgent: boolean;
  go: () => void;
  giveUp: () => void;
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
    { longestWaitMs = this.#longestWaitMs, isUrgent = false }: TurnOptions = {},
  ): Promise<T | 'out_of_turn'> {
    if (!(await this.#take({ holder, isUrgent }, signal, longestWaitMs))) return 'out_of_turn';
    try {
      return await work();
    } finally {
      this.#places.giveBack(holder);
      this.#admit();
    }
  }

  async #take(whose: Whose, signal: AbortSignal, longestWaitMs: number): Promise<boolean> {
    const { holder, isUrgent } = whose;
    signal.throwIfAborted();
    if (this.#places.roomOf(holder) > 0) {
      this.#places.take(holder);
      return true;
    }
    if (this.#room.roomOf(holder) === 0 && !(isUrgent && this.#vacate(holder))) return false;
    return this.#wait(whose, signal, longestWaitMs);
  }

  /** Sends away whoever of the holder's has waited least; returns false where all are as urgent. */
  #vacate(holder: string): boolean {
    const last = this.#waiting.findLast((other) => other.holder === holder && !other.isUrgent);
    last?.giveUp();
    return last !== undefined;
  }

  #wait({ holder, isUrgent }: Whose, signal: AbortSignal, longestWaitMs: number): Promise<boolean> {
    this.#room.take(holder);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        this.#room.giveBack(holder);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const end = (isAdmitted: boolean) => (): void => (leave(), resolve(isAdmitted));
      const waiting: Waiting = { holder, isUrgent, go: end(true), giveUp: end(false) };
      const abort = (): void => (leave(), reject(signal.reason as Error));
      const timer = setTimeout(waiting.giveUp, longestWaitMs);
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiting);
    });
  }

  /** Those who hold the fewest places come first, and among them who has waited longest; of one holder's, what is urgent. */
  #admit(): void {
    for (;;) {
      const [next] = this.#waiting
        .filter(({ holder }) => this.#places.roomOf(holder) > 0)
        .toSorted((a, b) => this.#places.takenBy(a.holder) - this.#places.takenBy(b.holder));
      if (!next) return;
      const { holder } = next;
      this.#places.take(holder);
      (this.#waiting.find((other) => other.holder === holder && other.isUrgent) ?? next).go();
    }
  }
}
