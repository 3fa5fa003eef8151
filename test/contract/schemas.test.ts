import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { operations } from '../../api/registry.ts';
import { getCheckedSchema, isContentSpec, type Operation } from '../../api/http/operation.ts';

/** Names of schemas of request objects in which the specification allows additional keys. */
const OPEN = new Set([
  'WidgetTheme',
  'DarkPalette',
  'HandoffConfig',
  'OrgSettingsUpdate',
  'CalendarCallbackQuery',
]);

/** Names of schemas that contain themselves, with one level less at each nesting. */
const RECURSIVE = new Set(['HierarchyNode']);

describe('schemas of the operations:', () => {
  it('schemas with the same name have the same shape', () => {
    const shapes = new Map<string, Set<string>>();
    for (const { node } of operations.flatMap(listAllSchemas)) {
      if (node.$id && !RECURSIVE.has(node.$id))
        shapes.set(node.$id, (shapes.get(node.$id) ?? new Set()).add(JSON.stringify(stripUsage(node))));
    }
    assert.deepEqual(
      [...shapes].filter(([, variants]) => variants.size > 1).map(([id]) => id),
      [],
    );
  });

  it('each schema with a name has a description', () => {
    const named = operations.flatMap(listAllSchemas).filter(({ node }) => node.$id !== undefined);
    assert.deepEqual(
      named.filter(({ node }) => !node.description).map(({ node }) => node.$id),
      [],
    );
  });

  for (const operation of operations) {
    it(`${operation.id} refuses unknown keys`, () => {
      const open = listRequestSchemas(operation).filter(
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

function listRequestSchemas({ query, body }: Operation): Found[] {
  const roots = [query, getCheckedSchema(body)];
  return roots.flatMap((root) => (root ? findSchemas(root, '') : []));
}

function listAllSchemas(operation: Operation): Found[] {
  const { spec } = operation.success;
  const responses = isContentSpec(spec) ? Object.values(spec.content) : [spec];
  return [
    ...listRequestSchemas(operation),
    ...responses.flatMap((response) => (response ? findSchemas(response, '') : [])),
  ];
}

function findSchemas(node: unknown, path: string): Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node).flatMap(([key, value]) => findSchemas(value, `${path}/${key}`));
  return Array.isArray(node) ? inside : [{ path: path || '/', node: node as TSchema }, ...inside];
}

/** Returns a schema without the properties that depend on where it is used: nullability and default. */
function stripUsage({ type, default: _default, ...rest }: TSchema): object {
  return { ...rest, type: Array.isArray(type) ? type[0] : type };
}
