import { h } from '../dom.ts';
import { fetchWithCutoff } from './fetch-with-cutoff.ts';
import type { ApiDocument, ApiOperation } from './open-api.ts';

interface TrialTarget {
  method: string;
  path: string;
  operation: ApiOperation;
  document: ApiDocument;
}

interface Field {
  name: string;
  place: 'path' | 'query' | 'header' | 'body' | 'form';
  input: HTMLInputElement | HTMLTextAreaElement;
}

const JSON_TYPE = 'application/json';
const MULTIPART = 'multipart/form-data';

/**
 * Creates a form that sends a request of the API operation to this page's server, with the API key entered on
 * the page.
 */
export function createTrial(tried: TrialTarget): HTMLElement {
  const { operation } = tried;
  const fields = [...createParameterFields(operation), ...createBodyFields(tried)];
  const accepted = Object.keys(findSuccess(operation).content ?? {});
  const accept = h('select', {}, ...accepted.map((type) => h('option', {}, type)));
  const status = h('p', { role: 'status' });
  const body = h('pre', { tabindex: 0, 'aria-label': 'Response', hidden: true });
  const button = h('button', { type: 'submit' }, 'Send request');
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    button.disabled = true;
    status.textContent = 'Sending…';
    body.hidden = true;
    try {
      const started = performance.now();
      const response = await fetchWithCutoff(...createRequest(tried, fields, accept.value));
      const text = await readText(response);
      status.textContent = `${response.status} ${response.statusText}, ${Math.round(performance.now() - started)} ms`;
      body.textContent = text;
      body.hidden = text === '';
    } catch (error) {
      status.textContent = `The request failed: ${String(error)}`;
    }
    button.disabled = false;
  };
  const form = h(
    'form',
    { onsubmit: (event: Event) => void send(event) },
    ...fields.map(({ name, place, input }) => h('label', {}, h('span', {}, `${name} (${place})`), input)),
    accepted.length > 1 && h('label', {}, h('span', {}, 'Accept'), accept),
    button,
    status,
    body,
  );
  return h('details', { class: 'trial' }, h('summary', {}, 'Try it'), form);
}

function findSuccess({ responses }: ApiOperation) {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] ?? { description: '' };
}

function createParameterFields({ parameters = [] }: ApiOperation): Field[] {
  return parameters.map(({ name, in: place, required }) => ({
    name,
    place,
    input: h('input', { type: 'text', required, autocomplete: 'off', spellcheck: 'false' }),
  }));
}

function createBodyFields({ operation: { requestBody }, document }: TrialTarget): Field[] {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  if (!media) return [];
  if (type !== MULTIPART) {
    const input = h('textarea', { rows: 8, spellcheck: 'false' });
    input.value = JSON.stringify(media.example ?? {}, null, 2);
    return [{ name: type ?? JSON_TYPE, place: 'body', input }];
  }
  return Object.entries(document.resolve(media.schema).properties ?? {}).map(([name, { format }]) => ({
    name,
    place: 'form',
    input: h('input', { type: format === 'binary' ? 'file' : 'text' }),
  }));
}

function createRequest({ method, path, operation }: TrialTarget, fields: readonly Field[], accept: string) {
  const filled = fields.filter(({ input }) => input.value !== '');
  const readPlace = (location: string) => filled.filter(({ place }) => place === location);
  let address = path;
  for (const { name, input } of readPlace('path'))
    address = address.replace(`{${name}}`, encodeURIComponent(input.value));
  const query = new URLSearchParams(readPlace('query').map(({ name, input }) => [name, input.value]));
  const headers = new Headers(readPlace('header').map(({ name, input }) => [name, input.value]));
  if (accept !== '') headers.set('Accept', `${accept}, ${JSON_TYPE};q=0.5, application/problem+json;q=0.5`);
  const key = document.querySelector<HTMLInputElement>('#reference-key')?.value.trim() ?? '';
  if (key !== '' && (operation.security?.length ?? 0) > 0) headers.set('Authorization', `Bearer ${key}`);
  const [json] = readPlace('body');
  if (json) headers.set('Content-Type', JSON_TYPE);
  const form = readPlace('form');
  const body = json?.input.value ?? (form.length > 0 ? createFormData(form) : null);
  const search = query.size > 0 ? `?${query}` : '';
  return [`${address}${search}`, { method: method.toUpperCase(), headers, body }] as const;
}

function createFormData(fields: readonly Field[]): FormData {
  const data = new FormData();
  for (const { name, input } of fields) data.set(name, (input as HTMLInputElement).files?.[0] ?? input.value);
  return data;
}

async function readText(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (/json/.test(type)) return JSON.stringify(await response.json(), null, 2);
  if (type === '' || type.startsWith('text/')) return response.text();
  return `${(await response.blob()).size} bytes of ${type}`;
}
