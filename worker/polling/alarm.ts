/**
 * Pauses a loop that polls a queue, and wakes it when work arrives. The loop must create its pause before it
 * reads the queue, and await the pause after the read. Work that arrives in between then ends the pause.
 */
export class Alarm {
  #wake = () => {};

  /** Waits `ms` milliseconds, or until the next call of `ring`. */
  pause(ms: number): Promise<void> {
    this.#wake();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  ring(): void {
    this.#wake();
  }
}
