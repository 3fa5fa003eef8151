/** One of some values, and the making of the one behind it. */
export interface WithNext<T> {
  value: T;
  /** Has the next value be made while whoever has this one waits for something else; otherwise it is made when it is asked for. */
  makeNext(): void;
}

/** The same values, of which the next one can be made early. */
export async function* oneAhead<T>(
  values: AsyncGenerator<T, void, undefined>,
): AsyncGenerator<WithNext<T>, void, undefined> {
  let next = null as Promise<IteratorResult<T, void>> | null;
  const begun = () => {
    next ??= values.next();
    // Whoever asks for it is told; nobody may ask any more.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let step = await begun(); !step.done; step = await begun()) {
      next = null;
      yield { value: step.value, makeNext: () => void begun() };
    }
  } finally {
    await next?.catch(() => undefined);
    await values.return();
  }
}
