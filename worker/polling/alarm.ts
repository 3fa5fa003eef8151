/**
 * Ends the pauses of a loop that polls. A loop takes its pause before it reads its queue and waits for it afterwards,
 * so that what arrives in between is not slept over.
 */
export class Alarm {
  #wake = () => {};

  /** Resolves after `ms`, or when the alarm rings from now on. */
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
