import { SAMPLE_URL } from '../../../api/http/openapi/code-samples.ts';
import { snakeCase } from '../sdk/names.ts';
import { listArguments, type Argument } from '../sdk/python-arguments.ts';
import { indentLines, pythonName, pythonString } from '../sdk/python-text.ts';
import type { PythonTypes } from '../sdk/python-types.ts';
import { FILE_NAME, tokenVariables, type SampleInput } from './sample-input.ts';

const WIDTH = 80;

/** Returns the source of a Python module that calls an API operation with the SDK's synchronous client. */
export function renderPythonSample(input: SampleInput, types: PythonTypes): string {
  const { resource, method } = input;
  const variable = tokenVariables[method.auth];
  const option = method.auth.startsWith('visitor') ? 'visitor_token' : 'api_key';
  const settings = [
    `base_url=${pythonString(SAMPLE_URL)}`,
    ...(variable === null ? [] : [`${option}=os.environ["${variable}"]`]),
  ];
  const args = listArguments(method, types).flatMap((argument) => renderSampleArgument(argument, input));
  const call = renderSampleCall(`client.${snakeCase(resource)}.${pythonName(method.name)}`, args);
  return [
    ...(variable === null ? [] : ['import os']),
    'from parley import Parley',
    '',
    `client = ${renderSampleCall('Parley', settings)}`,
    ...renderUse(input, call),
  ].join('\n');
}

function renderUse({ method: { answer } }: SampleInput, call: string): string[] {
  switch (answer.kind) {
    case 'pages':
    case 'keyset':
      return [`for item in ${call}:`, '    print(item)'];
    case 'stream':
      return [
        `with ${call} as stream:`,
        '    for event in stream:',
        '        print(event.event, event.data)',
      ];
    case 'binary':
      return [`print(len(${call}))`];
    case 'json':
    case 'text':
    case 'redirect':
      return [`print(${call})`];
  }
}

function renderSampleArgument({ name, goesTo: { place, key } }: Argument, input: SampleInput): string[] {
  if (place === 'path') return [toPythonLiteral(input.path[key])];
  const value = renderSampleValue(place, key, input);
  return value === undefined ? [] : [`${name}=${value}`];
}

/** Returns a sample argument as Python source; undefined if the sample omits the argument. */
function renderSampleValue(
  place: Argument['goesTo']['place'],
  key: string,
  { query, headers, body, fields, file }: SampleInput,
): string | undefined {
  const renderMember = (container: unknown) => {
    const value = (container as Record<string, unknown> | undefined)?.[key];
    return value === undefined ? undefined : toPythonLiteral(value);
  };
  switch (place) {
    case 'query':
      return renderMember(query);
    case 'headers':
      return renderMember(headers);
    case 'body':
      return renderMember(body);
    case 'texts':
      return renderMember(fields);
    case 'file':
      return `(${pythonString(FILE_NAME)}, ${pythonString(file)}.encode())`;
    case 'whole':
      return `${pythonString(JSON.stringify(body))}.encode()`;
    case 'path':
    case 'call':
      return undefined;
  }
}

function renderSampleCall(name: string, parts: readonly string[]): string {
  const line = `${name}(${parts.join(', ')})`;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  return [`${name}(`, ...indentLines(parts.flatMap((part) => `${part},`.split('\n'))), ')'].join('\n');
}

function toPythonLiteral(value: unknown): string {
  if (typeof value === 'string') return pythonString(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return groupParts(value.map(toPythonLiteral), ['[', ']']);
  if (value === null) return 'None';
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${pythonString(name)}: ${toPythonLiteral(member)}`,
  );
  return groupParts(members, ['{', '}']);
}

function groupParts(parts: readonly string[], [open, close]: readonly [string, string]): string {
  const line = open + parts.join(', ') + close;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  return [open, ...indentLines(parts.flatMap((part) => `${part},`.split('\n'))), close].join('\n');
}
