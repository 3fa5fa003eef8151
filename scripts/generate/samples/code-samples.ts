import type { CodeSample } from '../../../api/http/openapi/code-samples.ts';
import type { OpenApiDocument } from '../sdk/api-description.ts';
import type { DocumentedOperation } from '../sdk/methods.ts';
import type { SdkApi } from '../sdk/sdk-api.ts';
import { PythonTypes } from '../sdk/python-types.ts';
import { renderCurlSample } from './curl-sample.ts';
import { renderPythonSample } from './python-sample.ts';
import { buildSampleInput } from './sample-input.ts';
import { renderTypescriptSample } from './typescript-sample.ts';

/** Path of the file with all code samples, which the API serves. */
export const CODE_SAMPLES = 'api/http/openapi/code-samples.json';

export function renderCodeSamples(document: OpenApiDocument, api: SdkApi): string {
  return `${JSON.stringify(buildCodeSamples(document, api), null, 2)}\n`;
}

/**
 * Returns code samples by operation id. If an operation can also stream its response, the samples do not use
 * the stream.
 */
function buildCodeSamples(document: OpenApiDocument, api: SdkApi): Record<string, CodeSample[]> {
  const types = new PythonTypes(api);
  const methods = new Map(
    api.resources.flatMap(({ name, methods: all }) =>
      all.toReversed().map((method) => [method.operationId, { resource: name, method }] as const),
    ),
  );
  return Object.fromEntries(
    listOperations(document).map((operation) => {
      const { resource, method } = methods.get(operation.operationId)!;
      const input = buildSampleInput(resource, method, operation);
      return [
        operation.operationId,
        [
          { lang: 'TypeScript', label: 'TypeScript', source: renderTypescriptSample(input) },
          { lang: 'Python', label: 'Python', source: renderPythonSample(input, types) },
          { lang: 'Shell', label: 'curl', source: renderCurlSample(input) },
        ],
      ];
    }),
  );
}

function listOperations({ paths }: OpenApiDocument): DocumentedOperation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}
