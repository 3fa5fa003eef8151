import { sayTo, type BenchVisitor } from './visitors.ts';

/** Has each of the visitors say so much, all at once. @throws Error for a turn that is refused */
export async function turnsPerSecond(
  apiUrl: string,
  visitors: readonly BenchVisitor[],
  turns: number,
): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    visitors.map(async (visitor) => {
      for (let turn = 0; turn < turns; turn += 1) {
        const status = await sayTo(apiUrl, visitor);
        if (status !== 201) throw new Error(`A turn came back with ${status}.`);
      }
    }),
  );
  return (visitors.length * turns) / ((performance.now() - startedAt) / 1000);
}
