import { Type, type TSchema } from '@sinclair/typebox';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { toFieldErrors, formatFieldPath, type FieldPath } from '../errors/field-errors.ts';
import { MAX_DETAILS, type ErrorDetail } from '../errors/errors.ts';
import { compilesQuickly } from '../errors/schema-compiler.ts';
import { isUuid } from '../ids.ts';
import { singleLineKeyword } from '../text/single-line-schema.ts';
import { graphBounds, NODE_ID } from './flow-graph.ts';
import { nodeTypes } from './node-types.ts';

const Id = Type.String({ pattern: NODE_ID, examples: ['ask'] });
const Coordinate = Type.Number({ minimum: -1e6, maximum: 1e6 });

/** Schema of every flow graph. The schema does not check the data of steps. */
export const Graph = Type.Object(
  {
    version: Type.Literal(1),
    nodes: Type.Array(
      Type.Object(
        {
          id: Id,
          type: Type.Unsafe<string>({ type: 'string', enum: Object.keys(nodeTypes) }),
          position: Type.Optional(
            Type.Object({ x: Coordinate, y: Coordinate }, { additionalProperties: false }),
          ),
          data: Type.Object({}),
        },
        { additionalProperties: false },
      ),
      { maxItems: graphBounds.nodes },
    ),
    edges: Type.Array(
      Type.Object(
        {
          source: Id,
          port: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
          target: Id,
        },
        { additionalProperties: false },
      ),
      { maxItems: graphBounds.edges },
    ),
  },
  { additionalProperties: false },
);

const ajv = new Ajv2020({
  ...compilesQuickly,
  allErrors: true,
  strict: false,
  strictNumbers: true,
  verbose: true,
});
ajv.addFormat('uuid', isUuid);
ajv.addKeyword(singleLineKeyword);

/**
 * Compiled JSON Schemas of graphs and steps. Each is compiled on first use, since most processes never
 * validate a flow.
 */
const compiled = new Map<TSchema, ValidateFunction>();

function listSchemaFaults(schema: TSchema, value: unknown): ErrorDetail[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? [] : toFieldErrors(validate.errors ?? [], 'body', value);
}

const IN_GRAPH: FieldPath = ['graph'];

/**
 * Creates a validation error about a part of a flow's graph.
 * @param path path within the graph
 */
export function createGraphFault(path: FieldPath, message: string, code = 'invalid'): ErrorDetail {
  const fullPath = [...IN_GRAPH, ...path];
  return { field: formatFieldPath(fullPath), path: fullPath, in: 'body', code, message };
}

/**
 * Creates a validation error about the data of a flow's step. Its message names the step.
 * @param path path within the data
 */
export function createNodeFault(
  { id, at }: { id: string; at: number },
  path: FieldPath,
  message: string,
  code?: string,
): ErrorDetail {
  const messageWithPath = path.length === 0 ? message : `${formatFieldPath(path)} ${message}`;
  return createGraphFault(['nodes', at, 'data', ...path], `Node "${id}": ${messageWithPath}`, code);
}

/** Checks the structure of a flow's graph, without the data of its steps. Returns the errors. */
export function findGraphErrors(graph: unknown): ErrorDetail[] {
  return listSchemaFaults(Graph, graph).map(({ path = [], message, code }) =>
    createGraphFault(path, message, code),
  );
}

interface StepData {
  id: string;
  at: number;
  data: unknown;
}

/** Checks the data of a flow's step by the schema of the step's type. Returns the errors. */
export function findStepErrors(schema: TSchema, { id, at, data }: StepData): ErrorDetail[] {
  return listSchemaFaults(schema, data)
    .slice(0, MAX_DETAILS + 1)
    .map(({ path = [], message, code }) => createNodeFault({ id, at }, path, message, code));
}
