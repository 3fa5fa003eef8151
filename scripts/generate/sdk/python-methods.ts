import { pascalCase } from './names.ts';
import { argumentsOf, type Argument } from './python-arguments.ts';
import type { Answer, Method, Resource, SdkApi, TypeRef } from './ir.ts';
import {
  docstring,
  importsFor,
  indented,
  list,
  pythonConstant,
  pythonName,
  pythonString,
} from './python-text.ts';
import { PythonTypes } from './python-types.ts';

/** Words in which synchronous and asynchronous code differ. */
interface Flavour {
  prefix: 'Async' | '';
  def: 'async def' | 'def';
  await: 'await ' | '';
}

const SYNC: Flavour = { prefix: '', def: 'def', await: '' };
const ASYNC: Flavour = { prefix: 'Async', def: 'async def', await: 'await ' };

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

/** Generates the module of a resource. */
export function resourceModule(resource: Resource, api: SdkApi): string[] {
  const types = new PythonTypes(api);
  const code = [
    ...resource.methods.flatMap((method) => operationConstant(method, types)),
    ...[SYNC, ASYNC].flatMap((flavour) => [
      ...resourceClass(resource, types, flavour),
      ...rawClass(resource, flavour),
    ]),
  ];
  return [
    ...docstring([resource.description], 0),
    '',
    'from __future__ import annotations',
    '',
    ...importsFor(code, PYTHON_NAMES),
    '',
    ...importsFor(code, OWN_NAMES),
    '',
    ...code,
  ];
}

/** Returns the name of a resource's class. */
export function resourceClassName(resource: Resource, isAsync: boolean): string {
  return `${isAsync ? 'Async' : ''}${pascalCase(resource.name)}`;
}

function operationConstant(method: Method, types: PythonTypes): string[] {
  const name = pythonConstant(method.name);
  const path = method.http.path.replaceAll(/\{[^}]+\}/g, '{}');
  const details = [
    ...(method.auth === 'key' ? [] : [`auth=${pythonString(method.auth)}`]),
    ...(method.takesIdempotencyKey ? ['takes_key=True'] : []),
    ...(method.patience === 'usual' ? [] : [`patience=${pythonString(method.patience)}`]),
    ...acceptOf(method.answer),
  ];
  const operation = [
    `${name}: Operation[${answerType(method.answer, types)}] = Operation(`,
    ...indented(
      [pythonString(method.http.method), pythonString(path), decoderOf(method), ...details].map(
        (each) => `${each},`,
      ),
    ),
    ')',
  ];
  const reader = readerOf(method.answer, types);
  return reader === undefined ? operation : [...operation, `${name}_READER = ${reader}`];
}

function acceptOf(answer: Answer): string[] {
  if (answer.kind === 'stream') return ['accept="text/event-stream"'];
  if (answer.kind === 'redirect') return ['accept="*/*"'];
  if (answer.kind !== 'text' && answer.kind !== 'binary') return [];
  return [`accept=${pythonString(`${answer.mediaTypes.join(', ')}, */*;q=0.1`)}`];
}

function decoderOf({ answer }: Method): string {
  if (answer.kind === 'text' || answer.kind === 'binary') return answer.kind;
  if (answer.kind === 'redirect') return 'location';
  if (answer.kind !== 'json') return 'json';
  const { type } = answer;
  if (type.kind === 'model') return `model(models.${type.name})`;
  if (type.kind === 'list' && type.items.kind === 'model') return `models_of(models.${type.items.name})`;
  return type.kind === 'union' ? `one_of(${type.members.map(unionMember).join(', ')})` : 'json';
}

function unionMember(member: TypeRef): string {
  if (member.kind !== 'model') throw new Error('A union in a response may only have models.');
  return `models.${member.name}`;
}

function readerOf(answer: Answer, types: PythonTypes): string | undefined {
  if (answer.kind !== 'pages' && answer.kind !== 'keyset') return undefined;
  const model = types.received(answer.item);
  if (answer.kind === 'pages') return `numbered(${model})`;
  const { parameter, field, defaultLimit } = answer;
  return `keyset(${model}, ${pythonString(parameter)}, ${pythonString(field)}, ${defaultLimit})`;
}

/** Returns the type of a method's result. */
function answerType(answer: Answer, types: PythonTypes): string {
  switch (answer.kind) {
    case 'json':
      return types.received(answer.type);
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

function resourceClass(resource: Resource, types: PythonTypes, flavour: Flavour): string[] {
  const name = resourceClassName(resource, flavour === ASYNC);
  const rawName = `${name}WithRawResponse`;
  return [
    '',
    '',
    `class ${name}(${flavour.prefix}Resource):`,
    ...indented([
      ...docstring([resource.description], 1),
      '',
      '@cached_property',
      `def with_raw_response(self) -> ${rawName}:`,
      ...indented([
        '"""The same methods, with the headers of their responses."""',
        `return ${rawName}(${name}(self._transport, self._options, is_raw=True))`,
      ]),
      ...resource.methods.flatMap((method) => ['', ...methodLines(method, types, flavour)]),
    ]),
  ];
}

function methodLines(method: Method, types: PythonTypes, flavour: Flavour): string[] {
  const arguments_ = argumentsOf(method, types);
  // Lists and streams send no request before they are awaited or iterated.
  const isLazy = isPaged(method.answer) || method.answer.kind === 'stream';
  return [
    `${isLazy ? 'def' : flavour.def} ${pythonName(method.name)}(`,
    ...indented(signature(arguments_)),
    `) -> ${returnType(method, types, flavour)}:`,
    ...indented([
      ...docstring(paragraphsOf(method, arguments_), 2),
      ...callOf(method, arguments_, isLazy ? '' : flavour.await),
    ]),
  ];
}

function signature(arguments_: readonly Argument[]): string[] {
  const written = ({ name, type, default: byDefault }: Argument) =>
    `${name}: ${type}${byDefault === undefined ? '' : ` = ${byDefault}`},`;
  const isPath = ({ goesTo }: Argument) => goesTo.place === 'path';
  return [
    'self,',
    ...arguments_.filter(isPath).map(written),
    '*,',
    ...arguments_.filter((each) => !isPath(each)).map(written),
  ];
}

function returnType({ answer }: Method, types: PythonTypes, { prefix }: Flavour): string {
  if (answer.kind === 'pages' || answer.kind === 'keyset')
    return `${prefix}Page${prefix === '' ? '' : 's'}[${types.received(answer.item)}]`;
  return answer.kind === 'stream' ? `${prefix}Stream[events.${answer.union}]` : answerType(answer, types);
}

function paragraphsOf(method: Method, arguments_: readonly Argument[]): string[] {
  return [
    method.isDeprecated ? `Deprecated. ${method.summary}` : method.summary,
    method.description,
    list(arguments_.map(({ name, description }) => `:param ${name}: ${description}`)),
  ];
}

function callOf(method: Method, arguments_: readonly Argument[], awaits: string): string[] {
  const name = pythonConstant(method.name);
  const { answer } = method;
  const before = [
    ...(isPaged(answer) ? [`${name}_READER`] : []),
    ...(answer.kind === 'stream'
      ? [pythonString(answer.resume), `events.${pythonConstant(`${answer.union}s`).slice(1)}`]
      : []),
  ];
  const called = isPaged(answer) ? '_list' : answer.kind === 'stream' ? '_stream' : '_call';
  return [
    `return ${awaits}self.${called}(`,
    ...indented([
      ...[name, ...before].map((each) => `${each},`),
      ...inputsOf(method, arguments_),
      callOptions(arguments_),
    ]),
    ')',
  ];
}

function inputsOf({ body }: Method, arguments_: readonly Argument[]): string[] {
  const at = (place: Argument['goesTo']['place']) =>
    arguments_.filter(({ goesTo }) => goesTo.place === place);
  const dict = (name: string, entries: readonly Argument[]): string[] =>
    entries.length === 0 ? [] : dictArgument(name, entries);
  const path = at('path').map(({ name }) => `${name},`);
  const [file] = at('file');
  const hasFields = body?.kind === 'json' && body.type.kind === 'model';
  const contentType = body?.kind === 'raw' ? [`"Content-Type": ${pythonString(body.contentType)}`] : [];
  const headers = [...at('headers').map(entryOf), ...contentType];
  const parts = [
    ...(path.length > 0 ? [`path=(${path.join(' ').replace(/(, .*),$/, '$1')}),`] : []),
    ...dict('query', at('query')),
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}},`] : []),
    ...(hasFields ? dictArgument('body', at('body')) : []),
    ...(at('whole').length > 0 ? ['body=body,'] : []),
    ...(file
      ? [`upload=Upload(${pythonString(file.goesTo.key)}, ${file.name}, ${dictOf(at('texts'))}),`]
      : []),
  ];
  return parts.length === 0 ? ['Inputs(),'] : ['Inputs(', ...indented(parts), '),'];
}

function dictArgument(name: string, entries: readonly Argument[]): string[] {
  const short = `${name}=${dictOf(entries)},`;
  return short.length <= 80
    ? [short]
    : [`${name}={`, ...indented(entries.map((entry) => `${entryOf(entry)},`)), '},'];
}

function dictOf(entries: readonly Argument[]): string {
  return `{${entries.map(entryOf).join(', ')}}`;
}

function entryOf({ name, goesTo }: Argument): string {
  return `${pythonString(goesTo.key)}: ${name}`;
}

function callOptions(arguments_: readonly Argument[]): string {
  const given = arguments_.filter(({ goesTo }) => goesTo.place === 'call');
  return `CallOptions(${given.map(({ name, goesTo }) => `${goesTo.key}=${name}`).join(', ')}),`;
}

/** Generates the class whose methods return headers; streams contain theirs already. */
function rawClass(resource: Resource, flavour: Flavour): string[] {
  const name = resourceClassName(resource, flavour === ASYNC);
  const wrapper = flavour === ASYNC ? 'async_raw' : 'raw';
  const methods = resource.methods
    .filter(({ answer }) => answer.kind !== 'stream')
    .map((each) => pythonName(each.name));
  return [
    '',
    '',
    `class ${name}WithRawResponse:`,
    ...indented([
      `"""The methods of \`${name}\`, with the headers of their responses."""`,
      '',
      `def __init__(self, resource: ${name}) -> None:`,
      ...indented(methods.map((method) => `self.${method} = ${wrapper}(resource.${method})`)),
    ]),
  ];
}
