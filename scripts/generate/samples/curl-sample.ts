import { SAMPLE_URL } from '../../../api/http/openapi/code-samples.ts';
import type { Answer } from '../sdk/sdk-api.ts';
import { FILE_NAME, tokenVariables, type SampleInput } from './sample-input.ts';

/** Returns a curl command that calls an API operation. */
export function renderCurlSample(input: SampleInput): string {
  const { method } = input;
  const variable = tokenVariables[method.auth];
  const body = buildBodyOptions(input);
  // Omit the method if curl chooses it by default: POST with a body, GET without.
  const verb = body.length > 0 ? 'POST' : 'GET';
  const options = [
    ...(method.http.method === verb ? [] : [`-X ${method.http.method}`]),
    ...(variable === null ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    ...Object.entries(input.headers).map(
      ([name, value]) => `-H ${quoteForShell(`${name}: ${String(value)}`)}`,
    ),
    ...buildAnswerOptions(method.answer),
    ...body,
  ];
  return [`curl ${quoteForShell(buildSampleUrl(input))}`, ...options].join(' \\\n  ');
}

function buildSampleUrl({ method, path, query }: SampleInput): string {
  const filled = method.http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return SAMPLE_URL + filled + (search === '' ? '' : `?${search}`);
}

function buildBodyOptions({ method, body, fields }: SampleInput): string[] {
  if (method.body === null) return [];
  if (method.body.kind !== 'multipart') return [`--json ${quoteForShell(formatJson(body ?? {}))}`];
  const parts = Object.entries(fields).map(
    ([name, value]) => `-F ${quoteForShell(`${name}=${String(value)}`)}`,
  );
  return [`-F ${method.body.fileField}=@${FILE_NAME}`, ...parts];
}

/** Formats the JSON body of a sample: on one line if the JSON is short, indented if not. */
function formatJson(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= 80 ? line : JSON.stringify(body, null, 2);
}

function buildAnswerOptions({ kind }: Answer): string[] {
  if (kind === 'stream') return ["-N -H 'Accept: text/event-stream'"];
  return kind === 'binary' ? ['-OJ'] : [];
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
