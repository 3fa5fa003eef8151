import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { operations } from '../../api/registry.ts';
import { getCheckedSchema, isContentSpec, type Operation } from '../../api/http/operation.ts';

/** Request objects that the specification leaves open. */
const OPEN = new Set([
  'WidgetTheme',
  'DarkPalette',
  'HandoffConfig',
  'OrgSettingsUpdate',
  'CalendarCallbackQuery',
]);

/** Each level has one level less below it. */
const RECURSIVE = new Set(['HierarchyNode']);

describe('schemas of the operations', () => {
  it('are named after one shape each', () => {
    const shapes = new Map<string, Set<string>>();
    for (const { node } of operations.flatMap(allSchemas)) {
      if (node.$id && !RECURSIVE.has(node.$id))
        shapes.set(node.$id, (shapes.get(node.$id) ?? new Set()).add(JSON.stringify(core(node))));
    }
    assert.deepEqual(
      [...shapes].filter(([, variants]) => variants.size > 1).map(([id]) => id),
      [],
    );
  });

  it('have a description where they have a name', () => {
    const named = operations.flatMap(allSchemas).filter(({ node }) => node.$id !== undefined);
    assert.deepEqual(
      named.filter(({ node }) => !node.description).map(({ node }) => node.$id),
      [],
    );
  });

  for (const operation of operations) {
    it(`${operation.id} refuses keys it does not know`, () => {
      const open = requestSchemas(operation).filter(
        ({ node }) =>
          node['properties'] !== undefined &&
          node['additionalProperties'] !== false &&
          !OPEN.has(node.$id ?? ''),
      );
      assert.deepEqual(
        open.map(({ path }) => path),
        [],
      );
    });

    it(`${operation.id} has a summary that is a sentence, and described parameters`, () => {
      assert.match(operation.summary, /^\p{Lu}.*\.$/u);
      for (const part of [operation.params, operation.query]) {
        for (const [name, schema] of Object.entries((part?.['properties'] ?? {}) as Record<string, TSchema>))
          assert.ok(schema.description, `${name} has no description`);
      }
    });

    it(`${operation.id} describes exactly the parameters of its path`, () => {
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(Object.keys((operation.params?.['properties'] ?? {}) as object), inPath);
    });
  }
});

interface Found {
  path: string;
  node: TSchema;
}

function requestSchemas({ query, body }: Operation): Found[] {
  const roots = [query, getCheckedSchema(body)];
  return roots.flatMap((root) => (root ? schemasIn(root, '') : []));
}

function allSchemas(operation: Operation): Found[] {
  const { spec } = operation.success;
  const responses = isContentSpec(spec) ? Object.values(spec.content) : [spec];
  return [
    ...requestSchemas(operation),
    ...responses.flatMap((response) => (response ? schemasIn(response, '') : [])),
  ];
}

function schemasIn(node: unknown, path: string): Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node).flatMap(([key, value]) => schemasIn(value, `${path}/${key}`));
  return Array.isArray(node) ? inside : [{ path: path || '/', node: node as TSchema }, ...inside];
}

/** A schema without what its use in one place adds: whether it may be null, and its default. */
function core({ type, default: _default, ...rest }: TSchema): object {
  return { ...rest, type: Array.isArray(type) ? type[0] : type };
}
