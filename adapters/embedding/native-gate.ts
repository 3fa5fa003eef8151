const CLOSED = 0;
const INSIDE = 1;
/** Ten times what a text takes; a thread that hangs must not keep its process. */
const LONGEST_MS = 5000;

/**
 * Between native code that a thread runs and the end of the thread: one that is ended inside takes the whole process along. Whoever
 * ends it closes the gate, and waits until it is outside.
 */
export class NativeGate {
  /** Shared by both threads. */
  readonly state: Int32Array<SharedArrayBuffer>;

  constructor(state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))) {
    this.state = state;
  }

  get isClosed(): boolean {
    return Atomics.load(this.state, CLOSED) === 1;
  }

  /** @throws Error once the gate is closed, and what the work throws */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    // First inside, then a look at the gate; `closeAndWait` does it the other way round, so that one of them sees the other.
    Atomics.store(this.state, INSIDE, 1);
    try {
      if (this.isClosed) throw new Error('The thread is ending.');
      return await work();
    } finally {
      Atomics.store(this.state, INSIDE, 0);
      Atomics.notify(this.state, INSIDE);
    }
  }

  close(): void {
    Atomics.store(this.state, CLOSED, 1);
  }

  /** Blocks the caller: for a process that exits, where nothing can be waited for otherwise. */
  closeAndWait(): void {
    this.close();
    Atomics.wait(this.state, INSIDE, 1, LONGEST_MS);
  }
}
