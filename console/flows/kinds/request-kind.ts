import type { NodeKind } from './node-kind.ts';
import { toSummaryLine } from './summary-line.ts';

/** Type of flow step that sends an HTTP request to another server. */
export const requestKind: NodeKind = {
  title: 'Request',
  description: 'Calls a server and saves values from the response.',
  fields: [
    {
      kind: 'choice',
      name: 'method',
      label: 'Method',
      initial: 'GET',
      options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, method] as const),
    },
    {
      kind: 'line',
      name: 'url',
      label: 'URL',
      hint: 'You can insert values in the path and query: https://api.example.com/orders/{{vars.order}}.',
      max: 2000,
      initial: 'https://api.example.com/',
    },
    {
      kind: 'list',
      name: 'headers',
      label: 'Headers',
      noun: 'header',
      max: 20,
      items: [
        { kind: 'line', name: 'name', label: 'Name', max: 100, initial: '' },
        { kind: 'secret', name: 'value', label: 'Value' },
      ],
      make: () => ({ name: '', value: '' }),
    },
    {
      kind: 'text',
      name: 'body',
      label: 'Body',
      hint: 'JSON. You can insert values: {"order": "{{vars.order}}"}.',
      max: 20_000,
      isCode: true,
      isShown: ({ method }) => method !== 'GET',
    },
    {
      kind: 'number',
      name: 'timeout_ms',
      label: 'Timeout (milliseconds)',
      hint: 'Default 5,000.',
      min: 100,
      max: 10_000,
      placeholder: '5000',
    },
    {
      kind: 'list',
      name: 'save',
      label: 'Values to save',
      noun: 'value',
      max: 20,
      items: [
        {
          kind: 'line',
          name: 'path',
          label: 'Path in the response',
          hint: 'For example order.state.',
          initial: '',
        },
        { kind: 'line', name: 'variable', label: 'Save as', initial: '' },
      ],
      make: () => ({ path: '', variable: '' }),
    },
  ],
  ports: () => [
    { id: 'out', label: 'Done' },
    { id: 'error', label: 'Failed' },
  ],
  summary: ({ method, url }) => toSummaryLine(`${String(method)} ${String(url)}`),
};
