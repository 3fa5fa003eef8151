import { isContentSpec, isMultipart, isRaw, type Operation } from '../../api/http/operation.ts';

/**
 * Selects operations for tests of what the API does before and after every operation, which is the same for
 * all operations with the same declarations. A whole `npm test` uses few operations; each pair of
 * declarations occurs in at least one. `npm run test:soak`, and `npm test` with the name of the file, use all
 * operations.
 * @param measureCost positive cost of testing an operation
 */
export function selectSample(
  operations: readonly Operation[],
  measureCost: (operation: Operation) => number = () => 1,
): readonly Operation[] {
  if (!process.env['TEST_WHOLE_RUN']) return operations;
  return coverPairs(operations, measureCost);
}

/** Selects operations greedily until each pair of declarations occurs in one of them. */
function coverPairs(
  operations: readonly Operation[],
  measureCost: (operation: Operation) => number,
): Operation[] {
  const candidates = operations.map((operation) => ({
    operation,
    cost: measureCost(operation),
    pairs: listPairs(operation),
  }));
  const uncovered = new Set(candidates.flatMap(({ pairs }) => pairs));
  const selected: Operation[] = [];
  while (uncovered.size > 0) {
    const ranked = candidates.map(({ operation, cost, pairs }) => {
      const gain = pairs.filter((pair) => uncovered.has(pair)).length;
      return { operation, pairs, gainByCost: gain / cost };
    });
    const best = ranked.reduce((a, b) => (b.gainByCost > a.gainByCost ? b : a));
    selected.push(best.operation);
    for (const pair of best.pairs) uncovered.delete(pair);
  }
  return selected;
}

/** Lists all pairs of those properties of an operation that decide which steps of the request pipeline run. */
export function listPairs({ method, auth, body, success, transaction, ...operation }: Operation): string[] {
  const declarations = {
    method,
    auth,
    transaction,
    body: !body ? 'none' : isMultipart(body) ? 'multipart' : isRaw(body) ? 'raw' : 'JSON',
    response: isContentSpec(success.spec) ? Object.keys(success.spec.content).join() : 'JSON',
    isLarge: operation.isLarge,
    isLong: operation.isLong,
    isWrite: operation.isWrite,
    readsContent: operation.readsContent,
    cors: operation.cors,
    settles: operation.settle !== undefined,
    prepares: operation.prepare !== undefined,
  };
  const items = Object.entries(declarations).map(([name, value]) => `${name} ${String(value)}`);
  return items.flatMap((first, index) => items.slice(index + 1).map((second) => `${first}, ${second}`));
}
