/** The same values, of which the next one is made while whoever takes them is busy with the last. */
export async function* oneAhead<T>(
  values: AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  let next = values.next();
  try {
    for (let step = await next; !step.done; step = await next) {
      next = values.next();
      // Whoever asks for it is told; nobody may ask any more.
      next.catch(() => undefined);
      yield step.value;
    }
  } finally {
    await next.catch(() => undefined);
    await values.return();
  }
}
