/**
 * Ends the pauses of a polling loop. The loop creates its pause before it reads the queue and awaits it afterwards, so
 * that it never misses work that arrives in between.
 */
export class Alarm {
  #wake = () => {};

  /** Resolves after `ms`, or at the next ring. */
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
