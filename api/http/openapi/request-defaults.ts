import type { Json } from './openapi-components.ts';

const COMPONENT = '#/components/schemas/';

/**
 * Renames the keyword `default` of request fields to `x-default`, and adds the defaults to the descriptions.
 * Generators such as openapi-typescript read `default` as "always present", which is true only for responses.
 */
export function renameRequestDefaults(
  requestBodies: readonly unknown[],
  schemas: Record<string, Json>,
): void {
  const seen = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    const { $ref, properties } = node as { $ref?: string; properties?: Record<string, Json> };
    const name = $ref?.slice(COMPONENT.length);
    if (name !== undefined && !seen.has(name)) {
      seen.add(name);
      visit(schemas[name]);
    }
    for (const [field, schema] of Object.entries(properties ?? {}))
      if ('default' in schema) properties![field] = renameDefault(schema);
    Object.values(node).forEach(visit);
  };
  visit(requestBodies);
}

function renameDefault({ default: value, description, ...rest }: Json): Json {
  return {
    ...rest,
    description: [description, describeDefault(value)].filter(Boolean).join(' '),
    'x-default': value,
  };
}

function describeDefault(value: unknown): string {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'Empty by default.';
  return `Defaults to ${typeof value === 'string' ? value : JSON.stringify(value)}.`;
}
