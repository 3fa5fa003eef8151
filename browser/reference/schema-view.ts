import { h } from '../dom.ts';
import { renderText } from './text-view.ts';
import type { ApiDocument, Schema } from './open-api.ts';

/**
 * Renders the fields of an OpenAPI schema; null if it has none. Nested fields are rendered when they are
 * opened.
 */
export function renderSchema(document: ApiDocument, schema: Schema): HTMLElement | null {
  const objects = document.findObjects(schema);
  if (objects.length <= 1) return objects[0] ? renderFields(document, objects[0]) : null;
  return h(
    'div',
    {},
    ...objects.map((object, index) =>
      renderLazily(`Form ${index + 1} of ${objects.length}${nameVariant(object)}`, () =>
        renderFields(document, object),
      ),
    ),
  );
}

/** Renders a `<details>` element whose content is created when a reader opens it. */
function renderLazily(title: string, render: () => HTMLElement | null): HTMLElement {
  const details = h('details', {}, h('summary', {}, title));
  details.addEventListener('toggle', () => details.append(render() ?? ''), { once: true });
  return details;
}

/**
 * Returns the constant fields by which an object of a union in an OpenAPI schema differs from the union's
 * other objects.
 */
function nameVariant({ properties = {} }: Schema): string {
  const constants = Object.entries(properties).filter(([, property]) => property.const !== undefined);
  return constants.map(([name, property]) => `, ${name}: ${JSON.stringify(property.const)}`).join('');
}

function renderFields(document: ApiDocument, { properties = {}, required = [] }: Schema): HTMLElement {
  const fields = Object.entries(properties).map(([name, property]) =>
    renderField(document, name, property, required.includes(name)),
  );
  return h('ul', { class: 'fields' }, ...fields);
}

export function renderField(
  document: ApiDocument,
  name: string,
  schema: Schema,
  isRequired: boolean,
  note = '',
): HTMLElement {
  const description = schema.description ?? document.resolve(schema).description;
  const hasObjects = document.findObjects(schema).length > 0;
  return h(
    'li',
    {},
    h('code', {}, name),
    ' ',
    h('span', { class: 'type' }, [note, describeType(document, schema)].filter(Boolean).join(', ')),
    isRequired && h('strong', {}, ' required'),
    description && h('p', {}, ...renderText(description)),
    hasObjects && renderLazily(`Fields of ${name}`, () => renderSchema(document, schema)),
  );
}

function describeType(document: ApiDocument, schema: Schema): string {
  const resolved = document.resolve(schema);
  const { items, anyOf, oneOf, type } = resolved;
  if (resolved.const !== undefined) return JSON.stringify(resolved.const);
  if (resolved.enum) return resolved.enum.map((value) => JSON.stringify(value)).join(' or ');
  const variants = anyOf ?? oneOf;
  if (variants) return [...new Set(variants.map((each) => describeType(document, each)))].join(' or ');
  if (items) return `list of ${describeType(document, items)}${describeBounds(resolved)}`;
  const types = typeof type === 'string' ? [type] : (type ?? ['any']);
  const format = resolved.format === undefined ? '' : ` (${resolved.format})`;
  return `${types.join(' or ')}${format}${describeBounds(resolved)}`;
}

function describeBounds(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const bounds = [
    describeRange(minLength, maxLength, ' characters'),
    describeRange(minimum, maximum, ''),
    describeRange(minItems, maxItems, ' items'),
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ];
  return bounds
    .filter(Boolean)
    .map((bound) => `, ${bound}`)
    .join('');
}

function describeRange(min: number | undefined, max: number | undefined, unit: string): string {
  if (min === undefined && max === undefined) return '';
  if (min === undefined) return `at most ${max}${unit}`;
  return max === undefined ? `at least ${min}${unit}` : `${min} to ${max}${unit}`;
}
