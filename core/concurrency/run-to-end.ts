/** Runs a generator to its end, without the values that it yields. Returns its result. */
export async function runToEnd<Result>(generator: AsyncGenerator<unknown, Result>): Promise<Result> {
  let step = await generator.next();
  while (!step.done) step = await generator.next();
  return step.value;
}
