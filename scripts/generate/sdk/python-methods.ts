import { pascalCase } from './names.ts';
import { listArguments, type Argument } from './python-arguments.ts';
import type { Answer, Method, Resource, SdkApi, TypeRef } from './sdk-api.ts';
import {
  renderDocstring,
  renderImports,
  indentLines,
  joinEntries,
  pythonConstant,
  pythonName,
  pythonString,
} from './python-text.ts';
import { PythonTypes } from './python-types.ts';

/** Keywords and names that differ between synchronous and asynchronous Python code. */
interface ClientFlavor {
  prefix: 'Async' | '';
  def: 'async def' | 'def';
  await: 'await ' | '';
}

const SYNC: ClientFlavor = { prefix: '', def: 'def', await: '' };
const ASYNC: ClientFlavor = { prefix: 'Async', def: 'async def', await: 'await ' };

const PYTHON_NAMES = {
  functools: ['cached_property'],
  typing: ['Any', 'Dict', 'List', 'Literal', 'Mapping', 'Sequence'],
};
const OWN_NAMES = {
  '..._calls': ['CallOptions', 'Inputs'],
  '..._omitted': ['OMITTED', 'Omitted'],
  '..._operations': ['Operation', 'binary', 'json', 'location', 'model', 'models_of', 'one_of', 'text'],
  '..._pages': ['AsyncPages', 'Page', 'keyset', 'numbered'],
  '..._raw': ['async_raw', 'raw'],
  '..._resource': ['AsyncResource', 'Resource'],
  '..._streams': ['AsyncStream', 'Stream'],
  '..._uploads': ['FileInput', 'Upload'],
  '..': ['events', 'models', 'params'],
};

/** Generates the module of a resource in the Python SDK. */
export function renderResourceModule(resource: Resource, api: SdkApi): string[] {
  const types = new PythonTypes(api);
  const code = [
    ...resource.methods.flatMap((method) => renderOperation(method, types)),
    ...[SYNC, ASYNC].flatMap((flavor) => [
      ...renderClass(resource, types, flavor),
      ...renderRawClass(resource, flavor),
    ]),
  ];
  return [
    ...renderDocstring([resource.description], 0),
    '',
    'from __future__ import annotations',
    '',
    ...renderImports(code, PYTHON_NAMES),
    '',
    ...renderImports(code, OWN_NAMES),
    '',
    ...code,
  ];
}

/** Returns the name of a resource's class in the Python SDK. */
export function resourceClassName(resource: Resource, isAsync: boolean): string {
  return `${isAsync ? 'Async' : ''}${pascalCase(resource.name)}`;
}

function renderOperation(method: Method, types: PythonTypes): string[] {
  const name = pythonConstant(method.name);
  const path = method.http.path.replaceAll(/\{([^}]+)\}/g, (_, field: string) => `{${pythonName(field)}}`);
  const details = [
    ...(method.auth === 'key' ? [] : [`auth=${pythonString(method.auth)}`]),
    ...(method.takesIdempotencyKey ? ['takes_key=True'] : []),
    ...(method.timeoutClass === 'default' ? [] : [`timeout_class=${pythonString(method.timeoutClass)}`]),
    ...renderAccept(method.answer),
  ];
  const operation = [
    `${name}: Operation[${renderAnswerType(method.answer, types)}] = Operation(`,
    ...indentLines(
      [pythonString(method.http.method), pythonString(path), renderDecoder(method), ...details].map(
        (each) => `${each},`,
      ),
    ),
    ')',
  ];
  const reader = renderReader(method.answer, types);
  return reader === undefined ? operation : [...operation, `${name}_READER = ${reader}`];
}

function renderAccept(answer: Answer): string[] {
  if (answer.kind === 'stream') return ['accept="text/event-stream"'];
  if (answer.kind === 'redirect') return ['accept="*/*"'];
  if (answer.kind !== 'text' && answer.kind !== 'binary') return [];
  return [`accept=${pythonString(`${answer.mediaTypes.join(', ')}, */*;q=0.1`)}`];
}

function renderDecoder({ answer }: Method): string {
  if (answer.kind === 'text' || answer.kind === 'binary') return answer.kind;
  if (answer.kind === 'redirect') return 'location';
  if (answer.kind !== 'json') return 'json';
  const { type } = answer;
  if (type.kind === 'model') return `model(models.${type.name})`;
  if (type.kind === 'list' && type.items.kind === 'model') return `models_of(models.${type.items.name})`;
  return type.kind === 'union' ? `one_of(${type.members.map(renderUnionMember).join(', ')})` : 'json';
}

function renderUnionMember(member: TypeRef): string {
  if (member.kind !== 'model') throw new Error('A union in a response may only have models.');
  return `models.${member.name}`;
}

function renderReader(answer: Answer, types: PythonTypes): string | undefined {
  if (answer.kind !== 'pages' && answer.kind !== 'keyset') return undefined;
  const model = types.renderReceived(answer.item);
  if (answer.kind === 'pages') return `numbered(${model})`;
  const { parameter, field, defaultLimit } = answer;
  return `keyset(${model}, ${pythonString(parameter)}, ${pythonString(field)}, ${defaultLimit})`;
}

/** Returns the Python type of an SDK method's result. */
function renderAnswerType(answer: Answer, types: PythonTypes): string {
  switch (answer.kind) {
    case 'json':
      return types.renderReceived(answer.type);
    case 'binary':
      return 'bytes';
    case 'text':
    case 'redirect':
      return 'str';
    case 'pages':
    case 'keyset':
    case 'stream':
      return 'Any';
  }
}

function isPaged({ kind }: Answer): boolean {
  return kind === 'pages' || kind === 'keyset';
}

function renderClass(resource: Resource, types: PythonTypes, flavor: ClientFlavor): string[] {
  const name = resourceClassName(resource, flavor === ASYNC);
  const rawName = `${name}WithRawResponse`;
  return [
    '',
    '',
    `class ${name}(${flavor.prefix}Resource):`,
    ...indentLines([
      ...renderDocstring([resource.description], 1),
      '',
      '@cached_property',
      `def with_raw_response(self) -> ${rawName}:`,
      ...indentLines([
        '"""The same methods, but they also return the headers of the response."""',
        `return ${rawName}(${name}(self._transport, self._options, is_raw=True))`,
      ]),
      ...resource.methods.flatMap((method) => ['', ...renderMethod(method, types, flavor)]),
    ]),
  ];
}

function renderMethod(method: Method, types: PythonTypes, flavor: ClientFlavor): string[] {
  const arguments_ = listArguments(method, types);
  // Methods that return lists or streams send no request until the result is awaited or iterated. Such
  // methods are therefore never `async def`.
  const isLazy = isPaged(method.answer) || method.answer.kind === 'stream';
  return [
    `${isLazy ? 'def' : flavor.def} ${pythonName(method.name)}(`,
    ...indentLines(renderSignature(arguments_)),
    `) -> ${renderReturnType(method, types, flavor)}:`,
    ...indentLines([
      ...renderDocstring(listParagraphs(method, arguments_), 2),
      ...renderCall(method, arguments_, isLazy ? '' : flavor.await),
    ]),
  ];
}

function renderSignature(arguments_: readonly Argument[]): string[] {
  const renderArgument = ({ name, type, default: defaultValue }: Argument) =>
    `${name}: ${type}${defaultValue === undefined ? '' : ` = ${defaultValue}`},`;
  const isPath = ({ goesTo }: Argument) => goesTo.place === 'path';
  return [
    'self,',
    ...arguments_.filter(isPath).map(renderArgument),
    '*,',
    ...arguments_.filter((each) => !isPath(each)).map(renderArgument),
  ];
}

function renderReturnType({ answer }: Method, types: PythonTypes, { prefix }: ClientFlavor): string {
  if (answer.kind === 'pages' || answer.kind === 'keyset')
    return `${prefix}Page${prefix === '' ? '' : 's'}[${types.renderReceived(answer.item)}]`;
  return answer.kind === 'stream'
    ? `${prefix}Stream[events.${answer.union}]`
    : renderAnswerType(answer, types);
}

function listParagraphs(method: Method, arguments_: readonly Argument[]): string[] {
  return [
    method.isDeprecated ? `Deprecated. ${method.summary}` : method.summary,
    method.description,
    joinEntries(arguments_.map(({ name, description }) => `:param ${name}: ${description}`)),
  ];
}

function renderCall(method: Method, arguments_: readonly Argument[], awaits: string): string[] {
  const name = pythonConstant(method.name);
  const { answer } = method;
  const before = [
    ...(isPaged(answer) ? [`${name}_READER`] : []),
    ...(answer.kind === 'stream'
      ? [pythonString(answer.resume), `events.${pythonConstant(`${answer.union}s`).slice(1)}`]
      : []),
  ];
  const callMethod = isPaged(answer) ? '_list' : answer.kind === 'stream' ? '_stream' : '_call';
  return [
    `return ${awaits}self.${callMethod}(`,
    ...indentLines([
      ...[name, ...before].map((each) => `${each},`),
      ...renderInputs(method, arguments_),
      renderCallOptions(arguments_),
    ]),
    ')',
  ];
}

function renderInputs({ body }: Method, arguments_: readonly Argument[]): string[] {
  const argumentsAt = (place: Argument['goesTo']['place']) =>
    arguments_.filter(({ goesTo }) => goesTo.place === place);
  const dict = (name: string, entries: readonly Argument[]): string[] =>
    entries.length === 0 ? [] : renderDictArgument(name, entries);
  const path = argumentsAt('path').map(({ name }) => `${name},`);
  const [file] = argumentsAt('file');
  const hasFields = body?.kind === 'json' && body.type.kind === 'model';
  const contentType = body?.kind === 'raw' ? [`"Content-Type": ${pythonString(body.contentType)}`] : [];
  const headers = [...argumentsAt('headers').map(renderEntry), ...contentType];
  const parts = [
    ...(path.length > 0 ? [`path=(${path.join(' ').replace(/(, .*),$/, '$1')}),`] : []),
    ...dict('query', argumentsAt('query')),
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}},`] : []),
    ...(hasFields ? renderDictArgument('body', argumentsAt('body')) : []),
    ...(argumentsAt('whole').length > 0 ? ['body=body,'] : []),
    ...(file
      ? [
          `upload=Upload(${pythonString(file.goesTo.key)}, ${file.name}, ${renderDict(argumentsAt('texts'))}),`,
        ]
      : []),
  ];
  return parts.length === 0 ? ['Inputs(),'] : ['Inputs(', ...indentLines(parts), '),'];
}

function renderDictArgument(name: string, entries: readonly Argument[]): string[] {
  const short = `${name}=${renderDict(entries)},`;
  return short.length <= 80
    ? [short]
    : [`${name}={`, ...indentLines(entries.map((entry) => `${renderEntry(entry)},`)), '},'];
}

function renderDict(entries: readonly Argument[]): string {
  return `{${entries.map(renderEntry).join(', ')}}`;
}

function renderEntry({ name, goesTo }: Argument): string {
  return `${pythonString(goesTo.key)}: ${name}`;
}

function renderCallOptions(arguments_: readonly Argument[]): string {
  const callArguments = arguments_.filter(({ goesTo }) => goesTo.place === 'call');
  return `CallOptions(${callArguments.map(({ name, goesTo }) => `${goesTo.key}=${name}`).join(', ')}),`;
}

/**
 * Generates the Python class whose methods also return response headers. Methods that stream are omitted,
 * because streams already have the headers.
 */
function renderRawClass(resource: Resource, flavor: ClientFlavor): string[] {
  const name = resourceClassName(resource, flavor === ASYNC);
  const wrapper = flavor === ASYNC ? 'async_raw' : 'raw';
  const methods = resource.methods
    .filter(({ answer }) => answer.kind !== 'stream')
    .map((each) => pythonName(each.name));
  return [
    '',
    '',
    `class ${name}WithRawResponse:`,
    ...indentLines([
      `"""The methods of \`${name}\`, which also return the headers of the response."""`,
      '',
      `def __init__(self, resource: ${name}) -> None:`,
      ...indentLines(methods.map((method) => `self.${method} = ${wrapper}(resource.${method})`)),
    ]),
  ];
}
