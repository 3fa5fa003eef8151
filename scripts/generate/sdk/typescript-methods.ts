import { camelCase, pascalCase } from './names.ts';
import { renderComment, renderProperty, renderType } from './typescript-types.ts';
import type { EventUnion, Method, Parameter, Resource } from './sdk-api.ts';

export function toResourceClass(resource: string): string {
  return `${pascalCase(resource)}Resource`;
}

/** Generates the TypeScript class of an SDK resource, and the interfaces of its methods' parameters. */
export function renderResourceClass(
  { name, description, methods }: Resource,
  unions: readonly EventUnion[],
): string {
  const className = pascalCase(name);
  const parameters = methods.map((method) => renderParameterInterfaces(className, method)).join('');
  return `${parameters}${renderComment([description])}export class ${toResourceClass(name)} {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

${methods.map((method) => renderMethodText(className, method, unions)).join('\n')}}
`;
}

/**
 * Returns the name of the generated constant that describes an SDK method's request. The streaming method of
 * an operation has its own constant.
 */
export function toConstantName({ operationId, name, answer }: Method): string {
  return answer.kind === 'stream' && name.endsWith('Streaming') ? `${operationId}Streaming` : operationId;
}

function renderParameterInterfaces(className: string, method: Method): string {
  const { body, query, headers } = method;
  const options = headers.map((header) => ({ ...acceptNull(header), name: camelCase(header.name) }));
  const kinds: [string, readonly Parameter[]][] = [
    ['Query', query.map(acceptDate).map((each) => (each.name === 'cursor' ? acceptNull(each) : each))],
    ['Options extends CallOptions', options],
    ['Fields', body?.kind === 'multipart' ? body.fields : []],
  ];
  return kinds
    .filter(([, fields]) => fields.length > 0)
    .map(([kind, fields]) => {
      const lines = fields.map((field) => renderProperty(field, '  ')).join('');
      return `export interface ${toInterfaceName(className, method, kind)} {\n${lines}}\n\n`;
    })
    .join('');
}

/**
 * Returns a parameter that also accepts null, which means that it is omitted. Headers and the last page's
 * `next_cursor` can be null.
 */
function acceptNull(parameter: Parameter): Parameter {
  return { ...parameter, type: { kind: 'nullable', of: parameter.type } };
}

/** Returns a parameter that also accepts a `Date`, which the SDK writes as ISO 8601, if the parameter is a time. */
function acceptDate(parameter: Parameter): Parameter {
  const { type } = parameter;
  if (type.kind !== 'string' || type.format !== 'date-time') return parameter;
  return { ...parameter, type: { kind: 'union', members: [type, { kind: 'model', name: 'Date' }] } };
}

function toInterfaceName(className: string, { name }: Method, kind: string): string {
  return `${className}${pascalCase(name)}${kind}`;
}

function renderMethodText(className: string, method: Method, unions: readonly EventUnion[]): string {
  const { summary, description, http, operationId, isDeprecated } = method;
  const comment = renderComment(
    [
      summary,
      description,
      `\`${http.method} ${http.path}\` (${operationId})`,
      isDeprecated ? '@deprecated' : '',
    ],
    '  ',
  );
  const { parameters, args } = buildSignature(className, method);
  const argumentsText = args.length === 0 ? '{}' : `{ ${args.join(', ')} }`;
  const { returnType, call, extraArguments } = describeReturn(method, unions);
  const rest = [`operations.${toConstantName(method)}`, argumentsText, ...extraArguments, 'options'].join(
    ', ',
  );
  return `${comment}  ${method.name}(${parameters.join(', ')}): ${returnType} {
    return this.#caller.${call}(${rest});
  }
`;
}

/**
 * Returns the parameters of an SDK method's signature, required parameters first. Also returns the arguments
 * for the request. Headers become call options, so that the options are always the last parameter.
 */
function buildSignature(className: string, method: Method): { parameters: string[]; args: string[] } {
  const { path, query, headers, body } = method;
  const parameters = path.map(({ name, type }) => `${camelCase(name)}: ${renderType(type)}`);
  const args = path.length > 0 ? [`path: [${path.map(({ name }) => camelCase(name)).join(', ')}]`] : [];
  if (body?.kind === 'json') {
    parameters.push(
      body.isRequired ? `body: ${renderType(body.type)}` : `body: ${renderType(body.type)} = {}`,
    );
    args.push('json: body');
  } else if (body?.kind === 'raw') {
    parameters.push('body: string | Uint8Array');
    args.push('raw: body');
  } else if (body?.kind === 'multipart') {
    parameters.push(`${body.fileField}: Upload`);
    const fields = body.fields.length > 0 ? 'fields' : 'fields: {}';
    if (body.fields.length > 0)
      parameters.push(`fields: ${toInterfaceName(className, method, 'Fields')} = {}`);
    args.push(`upload: { field: '${body.fileField}', file: ${body.fileField}, ${fields} }`);
  }
  if (query.length > 0) {
    const isRequired = query.some((parameter) => parameter.isRequired);
    parameters.push(`query: ${toInterfaceName(className, method, 'Query')}${isRequired ? '' : ' = {}'}`);
    args.push('query');
  }
  if (headers.length > 0) {
    const entries = headers.map(({ name }) => `'${name}': options?.${camelCase(name)}`);
    args.push(`headers: { ${entries.join(', ')} }`);
  }
  const options = headers.length > 0 ? toInterfaceName(className, method, 'Options') : 'CallOptions';
  return { parameters: [...parameters, `options?: ${options}`], args };
}

function describeReturn(
  { answer }: Method,
  unions: readonly EventUnion[],
): { returnType: string; call: string; extraArguments: string[] } {
  const item = answer.kind === 'pages' || answer.kind === 'keyset' ? renderType(answer.item) : '';
  switch (answer.kind) {
    case 'json': {
      const type = renderType(answer.type);
      return { returnType: `ApiPromise<${type}>`, call: `json<${type}>`, extraArguments: [] };
    }
    case 'pages':
      return {
        returnType: `PagePromise<${item}, Page<${item}>>`,
        call: `pages<${item}>`,
        extraArguments: [],
      };
    case 'keyset': {
      const { parameter, field, defaultLimit } = answer;
      const rules = `{ parameter: '${parameter}', field: '${field}', defaultLimit: ${defaultLimit} }`;
      return {
        returnType: `PagePromise<${item}, ListPage<${item}>>`,
        call: `keyset<${item}>`,
        extraArguments: [rules],
      };
    }
    case 'stream': {
      const events = unions.find(({ name }) => name === answer.union)?.events ?? [];
      const last = events.filter(({ isLast }) => isLast).map(({ event }) => `'${event}'`);
      const rules = `{ resume: '${answer.resume}', lastEvents: [${last.join(', ')}] }`;
      return {
        returnType: `EventStream<${answer.union}>`,
        call: `stream<${answer.union}>`,
        extraArguments: [rules],
      };
    }
    case 'text':
    case 'redirect':
      return { returnType: 'ApiPromise<string>', call: answer.kind, extraArguments: [] };
    case 'binary':
      return { returnType: 'ApiPromise<Response>', call: 'binary', extraArguments: [] };
  }
}
