import type { DocumentedOperation } from '../sdk/methods.ts';
import type { AuthKind, Method } from '../sdk/ir.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a sample calls, and with what: the examples of the document, and nothing that may be left out. */
export interface SampleInput {
  /** Of the SDKs: `knowledge`. */
  resource: string;
  method: Method;
  path: Values;
  query: Values;
  headers: Values;
  /** Undefined where there is none. */
  body: unknown;
  /** What a multipart body has beside its file. */
  fields: Values;
  /** The content of the file. */
  file: string;
}

export const FILE_NAME = 'prices.md';

/** The variable of the environment that has the credential; none for what anybody may do. */
export const tokenVariables: Readonly<Record<AuthKind, string | null>> = {
  none: null,
  key: 'PARLEY_API_KEY',
  session: 'PARLEY_ACCESS_TOKEN',
  visitor: 'PARLEY_VISITOR_TOKEN',
  visitorIfAny: 'PARLEY_VISITOR_TOKEN',
};

export function sampleInput(resource: string, method: Method, operation: DocumentedOperation): SampleInput {
  const valuesOf = (place: 'path' | 'query') =>
    Object.fromEntries(
      operation.parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name, example }) => [name, example]),
    );
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const isMultipart = method.body?.kind === 'multipart';
  const example = (content?.example ?? {}) as Values;
  const { file = '', ...fields } = isMultipart ? example : {};
  return {
    resource,
    method,
    path: valuesOf('path'),
    query: valuesOf('query'),
    // Only those that sign a body are read by a single operation.
    headers:
      method.body?.kind === 'raw' ? Object.fromEntries(method.headers.map(({ name }) => [name, '…'])) : {},
    body: isMultipart ? undefined : content?.example,
    fields,
    file: String(file),
  };
}
