/** Something that happens once, and that others wait for. */
export function oneTimeSignal(): { happened: Promise<void>; happen: () => void } {
  let happen: () => void = () => undefined;
  const happened = new Promise<void>((resolve) => (happen = resolve));
  return { happened, happen };
}
