/** Runs a generator to its end and ignores the values that it yields. Returns the generator's result. */
export async function runToEnd<Result>(generator: AsyncGenerator<unknown, Result>): Promise<Result> {
  let step = await generator.next();
  while (!step.done) step = await generator.next();
  return step.value;
}
