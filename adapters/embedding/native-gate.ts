const CLOSED = 0;
const INSIDE = 1;
/** Ten times what a text takes; a hanging thread must not block its process. */
const MAX_NATIVE_MS = 5000;

/**
 * Guards native code in a thread: terminating a thread inside native code crashes the process. The terminating thread
 * closes the gate, and waits until the other is outside.
 */
export class NativeGate {
  /** Memory shared by both threads. */
  readonly state: Int32Array<SharedArrayBuffer>;

  constructor(state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))) {
    this.state = state;
  }

  get isClosed(): boolean {
    return Atomics.load(this.state, CLOSED) === 1;
  }

  /** @throws Error once the gate is closed, and what the work throws */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    // Enters before it checks the gate; `closeAndWait` closes before it checks. Therefore one of them always sees the
    // other.
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

  /** Blocks the calling thread: an exiting process cannot wait asynchronously. */
  closeAndWait(): void {
    this.close();
    Atomics.wait(this.state, INSIDE, 1, MAX_NATIVE_MS);
  }
}
