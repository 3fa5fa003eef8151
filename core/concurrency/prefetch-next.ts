/** A value, and a function that starts to make the next one. */
export interface WithNext<T> {
  value: T;
  /** Starts to make the next value while the caller waits for something else; otherwise the iteration makes it. */
  makeNext(): void;
}

/** Iterates over the same values, and lets the caller start to make the next one early. */
export async function* prefetchNext<T>(
  values: AsyncGenerator<T, void, undefined>,
): AsyncGenerator<WithNext<T>, void, undefined> {
  let next = null as Promise<IteratorResult<T, void>> | null;
  const start = () => {
    next ??= values.next();
    // The iteration throws the error. The caller may have ended it, so this handles the rejection.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let step = await start(); !step.done; step = await start()) {
      next = null;
      yield { value: step.value, makeNext: () => void start() };
    }
  } finally {
    await next?.catch(() => undefined);
    await values.return();
  }
}
