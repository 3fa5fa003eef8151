import type { DocumentedOperation } from '../sdk/methods.ts';
import type { AuthKind, Method } from '../sdk/sdk-api.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Arguments of a sample call, taken from the examples of the OpenAPI document. Optional arguments are
 * omitted.
 */
export interface SampleInput {
  /** Name of the SDK's resource, such as `knowledge`. */
  resource: string;
  method: Method;
  path: Values;
  query: Values;
  headers: Values;
  /** JSON body of the sample's request; undefined if the operation has none. */
  body: unknown;
  /** Text fields of the sample's multipart request. */
  fields: Values;
  /** Content of the file in the sample's multipart request. */
  file: string;
}

export const FILE_NAME = 'prices.md';

/**
 * Name of the environment variable with the credential for a code sample, by kind of authentication. Null for
 * public operations.
 */
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
    // Leaves the values of the headers out: they sign the body, which the sample does not do.
    headers:
      method.body?.kind === 'raw' ? Object.fromEntries(method.headers.map(({ name }) => [name, '…'])) : {},
    body: isMultipart ? undefined : content?.example,
    fields,
    file: String(file),
  };
}
