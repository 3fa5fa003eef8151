/** A value of an iteration, with a function that starts to compute the next value. */
export interface PrefetchableValue<T> {
  value: T;
  /**
   * Starts to compute the next value early, while the caller waits for something else. The call is optional.
   */
  startNext(): void;
}

/**
 * Iterates over the values of another iteration, and lets the caller start to compute the next value early.
 */
export async function* prefetchNext<T>(
  values: AsyncGenerator<T, void, undefined>,
): AsyncGenerator<PrefetchableValue<T>, void, undefined> {
  let next = null as Promise<IteratorResult<T, void>> | null;
  const requestNext = () => {
    next ??= values.next();
    // Mark the rejection as handled, since the caller may never ask for this value. If the caller asks for
    // it, the iteration throws the error.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let step = await requestNext(); !step.done; step = await requestNext()) {
      next = null;
      yield { value: step.value, startNext: () => void requestNext() };
    }
  } finally {
    await next?.catch(() => undefined);
    await values.return();
  }
}
