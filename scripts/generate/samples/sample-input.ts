import type { DocumentedOperation } from '../sdk/methods.ts';
import type { AuthKind, Method } from '../sdk/ir.ts';

type Values = Readonly<Record<string, unknown>>;

/** Arguments of a sample call: the examples of the document, without optional ones. */
export interface SampleInput {
  /** Name of the SDK's resource: `knowledge`. */
  resource: string;
  method: Method;
  path: Values;
  query: Values;
  headers: Values;
  /** Undefined if the operation has no body. */
  body: unknown;
  /** Text fields of a multipart body. */
  fields: Values;
  /** Content of the file. */
  file: string;
}

export const FILE_NAME = 'prices.md';

/** Environment variable with the credential, by kind of authentication; null for public operations. */
export const tokenVariables: Readonly<Record<AuthKind, string | null>> = {
  none: null,
  key: 'PARLEY_API_KEY',
  session: 'PARLEY_ACCESS_TOKEN',
  visitor: 'PARLEY_VISITOR_TOKEN',
  visitorIfAny: 'PARLEY_VISITOR_TOKEN',
};

export function buildSampleInput(
  resource: string,
  method: Method,
  operation: DocumentedOperation,
): SampleInput {
  const readExamples = (place: 'path' | 'query') =>
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
    path: readExamples('path'),
    query: readExamples('query'),
    // An operation has headers of its own only if its body is signed.
    headers:
      method.body?.kind === 'raw' ? Object.fromEntries(method.headers.map(({ name }) => [name, '…'])) : {},
    body: isMultipart ? undefined : content?.example,
    fields,
    file: String(file),
  };
}
