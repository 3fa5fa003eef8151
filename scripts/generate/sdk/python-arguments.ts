import type { Field, Method } from './sdk-api.ts';
import { pythonName } from './python-text.ts';
import type { PythonTypes } from './python-types.ts';

/** An argument of a generated method of the Python SDK. */
export interface Argument {
  name: string;
  type: string;
  /** Default value of the argument as Python source; missing for a required argument. */
  default?: string;
  description: string;
  /** Part of the request in which the argument is sent, and its key in that part. */
  goesTo: { place: 'path' | 'query' | 'headers' | 'body' | 'texts' | 'file' | 'whole' | 'call'; key: string };
}

type ArgumentPlace = Argument['goesTo']['place'];

/**
 * Returns the arguments of a Python SDK method in the order of the signature: path, required, optional, call
 * options.
 */
export function listArguments(method: Method, types: PythonTypes): Argument[] {
  const path = method.path.map((field) => toArgument(field, 'path', types));
  const rest = [
    ...method.query.map((field) => toNullableArgument(field, 'query', types)),
    ...method.headers.map((field) => toNullableArgument(field, 'headers', types)),
    ...listBodyArguments(method, types),
  ];
  const all = [
    ...path,
    ...rest.filter((each) => each.default === undefined),
    ...rest.filter((each) => each.default !== undefined),
    ...listCallArguments(method),
  ];
  const duplicate = all.find(({ name }, index) => all.findIndex((other) => other.name === name) !== index);
  if (duplicate) throw new Error(`${method.operationId} would have two arguments named ${duplicate.name}.`);
  return all;
}

function listBodyArguments({ body }: Method, types: PythonTypes): Argument[] {
  if (body === null) return [];
  if (body.kind === 'raw') return [createWholeBody('bytes', 'The body, exactly as it was signed.')];
  if (body.kind === 'multipart') {
    const file: Argument = {
      name: pythonName(body.fileField),
      type: 'FileInput',
      description: 'A path, bytes or an open binary file; or a tuple of a file name and one of these.',
      goesTo: { place: 'file', key: body.fileField },
    };
    return [file, ...body.fields.map((field) => toNullableArgument(field, 'texts', types))];
  }
  if (body.type.kind !== 'model')
    return [createWholeBody(types.renderSent(body.type), 'The body of the request.')];
  return types.model(body.type.name).fields.map((field) => toBodyArgument(field, types));
}

function createWholeBody(type: string, description: string): Argument {
  return { name: 'body', type, description, goesTo: { place: 'whole', key: 'body' } };
}

function toArgument(field: Field, place: ArgumentPlace, types: PythonTypes): Argument {
  return {
    name: pythonName(field.name),
    type: types.renderSent(field.type),
    description: field.description,
    goesTo: { place, key: field.name },
  };
}

/**
 * Returns an argument for a query parameter or header. The SDK does not send None, because neither a query
 * parameter nor a header can be null.
 */
function toNullableArgument(field: Field, place: ArgumentPlace, types: PythonTypes): Argument {
  const argument = toArgument(field, place, types);
  return field.isRequired ? argument : { ...argument, type: `${argument.type} | None`, default: 'None' };
}

function toBodyArgument(field: Field, types: PythonTypes): Argument {
  const argument = toArgument(field, 'body', types);
  return field.isRequired
    ? argument
    : { ...argument, type: `${argument.type} | Omitted`, default: 'OMITTED' };
}

function listCallArguments({ auth, takesIdempotencyKey }: Method): Argument[] {
  const toCallArgument = (name: string, type: string, description: string): Argument => ({
    name,
    type: `${type} | None`,
    description,
    default: 'None',
    goesTo: { place: 'call', key: name },
  });
  return [
    ...(auth === 'visitor' || auth === 'visitorIfAny'
      ? [toCallArgument('visitor_token', 'str', 'Token of the session; overrides the client’s token.')]
      : []),
    ...(takesIdempotencyKey
      ? [
          toCallArgument(
            'idempotency_key',
            'str',
            'Identifies this write, so that retries have no further effect; default: a random key.',
          ),
        ]
      : []),
    toCallArgument('timeout', 'float', 'Seconds without data after which the call fails.'),
    toCallArgument(
      'headers',
      'Mapping[str, str]',
      'Additional headers, such as Origin for a bot with allowed_domains.',
    ),
  ];
}
