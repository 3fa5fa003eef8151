import { readFileSync } from 'node:fs';
import type { Json } from './openapi-components.ts';

/** Sample code for an operation in one language, in the format of `x-codeSamples`. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** Server URL in stored code samples. When Parley serves the samples, it replaces this URL by its own. */
export const SAMPLE_URL = 'http://localhost:3000';

let cachedSamples: Record<string, CodeSample[]> | undefined;

/** Returns the generated code samples by operation id. */
function loadSamples(): Record<string, CodeSample[]> {
  const samplesUrl = new URL('code-samples.json', import.meta.url);
  return (cachedSamples ??= JSON.parse(readFileSync(samplesUrl, 'utf8')) as Record<string, CodeSample[]>);
}

/**
 * Adds the code samples of each operation to an OpenAPI document.
 * @param baseUrl URL of Parley in the samples
 */
export function withCodeSamples(document: Json, baseUrl: string): Json {
  const paths = Object.entries(document['paths'] as Record<string, Record<string, Json>>).map(
    ([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [method, withSamples(operation, baseUrl)]),
      ),
    ],
  );
  return { ...document, paths: Object.fromEntries(paths) as Json };
}

function withSamples(operation: Json, baseUrl: string): Json {
  const operationSamples = loadSamples()[String(operation['operationId'])];
  if (!operationSamples) return operation;
  const localizedSamples = operationSamples.map(({ source, ...sample }) => ({
    ...sample,
    source: source.replaceAll(SAMPLE_URL, baseUrl),
  }));
  return { ...operation, 'x-codeSamples': localizedSamples };
}
