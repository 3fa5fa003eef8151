import { h } from '../dom.ts';
import { createCodeSamples } from './code-samples.ts';
import type { ApiDocument, ApiOperation, ApiResponse, MediaType } from './open-api.ts';
import { renderField, renderSchema } from './schema-view.ts';
import { renderText } from './text-view.ts';
import { createTrial } from './trial.ts';

/**
 * Adds the content of an API operation to the operation's element, which shows only method and path until a
 * reader opens it.
 */
export function renderOperation(element: HTMLElement, document: ApiDocument): void {
  const { method = '', path = '' } = element.dataset;
  const operation = document.getOperation(path, method);
  const samples = createCodeSamples(operation['x-codeSamples'] ?? []);
  if (samples) element.append(samples);
  const parts = [renderParameters(document, operation), renderBody(document, operation)];
  element.append(
    ...parts.filter((part) => part !== null),
    createTrial({ method, path, operation, document }),
    renderResponses(document, operation),
  );
}

function renderParameters(document: ApiDocument, { parameters = [] }: ApiOperation): HTMLElement | null {
  if (parameters.length === 0) return null;
  const fields = parameters.map(({ name, schema, description, required, in: place }) =>
    renderField(document, name, { ...schema, ...(description && { description }) }, required, place),
  );
  return h('section', {}, h('h4', {}, 'Parameters'), h('ul', { class: 'fields' }, ...fields));
}

function renderBody(document: ApiDocument, { requestBody }: ApiOperation): HTMLElement | null {
  if (!requestBody) return null;
  return h('section', {}, h('h4', {}, 'Body'), ...renderContent(document, requestBody.content));
}

function renderResponses(document: ApiDocument, { responses }: ApiOperation): HTMLElement {
  const parts = Object.entries(responses).map(([status, response]) => {
    const details = h(
      'details',
      { class: 'response', open: status.startsWith('2') },
      h('summary', {}, h('strong', {}, status), ' ', ...renderText(document.resolve(response).description)),
    );
    details.addEventListener('toggle', () => fillResponse(details, document, response), { once: true });
    return details;
  });
  return h('section', {}, h('h4', {}, 'Responses'), ...parts);
}

function fillResponse(details: HTMLElement, document: ApiDocument, response: ApiResponse): void {
  details.append(...renderContent(document, document.resolve(response).content ?? {}));
}

function renderContent(document: ApiDocument, content: Readonly<Record<string, MediaType>>): HTMLElement[] {
  return Object.entries(content).flatMap(([type, { schema, example, 'x-itemSchema': item }]) => {
    const fields = renderSchema(document, item ?? schema);
    return [
      h('p', { class: 'type' }, item ? `${type}, with these fields in data` : type),
      ...(fields ? [fields] : []),
      ...(example === undefined ? [] : [renderCode('Example', formatExample(example))]),
    ];
  });
}

function formatExample(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
}

function renderCode(title: string, text: string): HTMLElement {
  return h('details', {}, h('summary', {}, title), h('pre', { tabindex: 0 }, h('code', {}, text)));
}
