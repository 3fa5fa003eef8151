const CLOSED = 0;
const INSIDE = 1;
/**
 * Maximum time in milliseconds that an exiting process waits for native code of its embedding thread. It is
 * ten times what a text takes: a hanging thread must not keep its process from exiting.
 */
const MAX_NATIVE_MS = 5000;

/**
 * Prevents a thread from being terminated inside native code, which would crash the process. The terminating
 * thread closes the gate, then waits until the other thread has left native code.
 */
export class NativeGate {
  /** Memory of the gate, shared by the guarded thread and the thread that terminates it. */
  readonly state: Int32Array<SharedArrayBuffer>;

  constructor(state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))) {
    this.state = state;
  }

  get isClosed(): boolean {
    return Atomics.load(this.state, CLOSED) === 1;
  }

  /**
   * Runs `work`, which calls native code, unless the gate is closed.
   * @throws Error once the gate is closed, and the errors of `work`
   */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    // Mark this thread as inside before checking the gate; `closeAndWait` closes the gate before checking for
    // threads inside. So at least one of the two threads notices the other.
    Atomics.store(this.state, INSIDE, 1);
    try {
      if (this.isClosed) throw new Error('The thread is ending, so it runs no more native code.');
      return await work();
    } finally {
      Atomics.store(this.state, INSIDE, 0);
      Atomics.notify(this.state, INSIDE);
    }
  }

  close(): void {
    Atomics.store(this.state, CLOSED, 1);
  }

  /**
   * Closes the gate, and waits until no native code runs. Blocks the calling thread, since an exiting process
   * cannot wait asynchronously.
   */
  closeAndWait(): void {
    this.close();
    Atomics.wait(this.state, INSIDE, 1, MAX_NATIVE_MS);
  }
}
