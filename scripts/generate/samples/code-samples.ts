import type { CodeSample } from '../../../api/http/openapi/code-samples.ts';
import type { OpenApiDocument } from '../sdk/api-description.ts';
import type { DocumentedOperation } from '../sdk/methods.ts';
import type { SdkApi } from '../sdk/ir.ts';
import { PythonTypes } from '../sdk/python-types.ts';
import { curlSample } from './curl-sample.ts';
import { pythonSample } from './python-sample.ts';
import { sampleInput } from './sample-input.ts';
import { typescriptSample } from './typescript-sample.ts';

/** File of the code samples, which the API serves. */
export const CODE_SAMPLES = 'api/http/openapi/code-samples.json';

export function codeSamplesText(document: OpenApiDocument, api: SdkApi): string {
  return `${JSON.stringify(codeSamples(document, api), null, 2)}\n`;
}

/** Returns code samples by operation id. If an operation can stream, the samples use the variant that does not. */
function codeSamples(document: OpenApiDocument, api: SdkApi): Record<string, CodeSample[]> {
  const types = new PythonTypes(api);
  const methods = new Map(
    api.resources.flatMap(({ name, methods: all }) =>
      all.toReversed().map((method) => [method.operationId, { resource: name, method }] as const),
    ),
  );
  return Object.fromEntries(
    operationsOf(document).map((operation) => {
      const { resource, method } = methods.get(operation.operationId)!;
      const input = sampleInput(resource, method, operation);
      return [
        operation.operationId,
        [
          { lang: 'TypeScript', label: 'TypeScript', source: typescriptSample(input) },
          { lang: 'Python', label: 'Python', source: pythonSample(input, types) },
          { lang: 'Shell', label: 'curl', source: curlSample(input) },
        ],
      ];
    }),
  );
}

function operationsOf({ paths }: OpenApiDocument): DocumentedOperation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}
