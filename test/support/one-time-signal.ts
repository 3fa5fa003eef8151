/** Creates an event that happens once, and a promise of it. */
export function createOneTimeSignal(): { happened: Promise<void>; happen: () => void } {
  let happen: () => void = () => undefined;
  const happened = new Promise<void>((resolve) => (happen = resolve));
  return { happened, happen };
}
