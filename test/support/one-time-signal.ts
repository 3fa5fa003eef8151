/** Creates a promise, and the function that resolves it. */
export function createOneTimeSignal(): { happened: Promise<void>; happen: () => void } {
  let happen: () => void = () => undefined;
  const happened = new Promise<void>((resolve) => (happen = resolve));
  return { happened, happen };
}
