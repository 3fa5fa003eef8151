import { isContentSpec, isMultipart, isRaw, type Operation } from '../../api/http/operation.ts';

/**
 * Selects operations for tests of the pipeline, which treats all operations of a kind alike.
 * A whole `npm test` uses the first operation of each kind. `npm run test:soak`, and `npm test` with the name of the
 * file, use all operations.
 */
export function selectOneOfEachKind(operations: readonly Operation[]): readonly Operation[] {
  if (!process.env['TEST_WHOLE_RUN']) return operations;
  const kinds = new Map<string, Operation>();
  for (const operation of operations) {
    const kind = describeKind(operation);
    if (!kinds.has(kind)) kinds.set(kind, operation);
  }
  return [...kinds.values()];
}

/** Names the declarations that decide which steps of the pipeline run. */
export function describeKind({ method, auth, body, success, transaction, ...operation }: Operation): string {
  const bodyKind = !body ? 'none' : isMultipart(body) ? 'multipart' : isRaw(body) ? 'raw' : 'JSON';
  const responseKind = isContentSpec(success.spec) ? Object.keys(success.spec.content).join() : 'JSON';
  const steps = [
    operation.isLarge,
    operation.isWrite,
    operation.readsContent,
    operation.cors,
    operation.settle !== undefined,
    operation.prepare !== undefined,
  ];
  return [method, auth, bodyKind, responseKind, transaction, ...steps].join(' ');
}
