import { readFileSync } from 'node:fs';
import { projectRoot } from '../../launcher/project-root.ts';
import { toResourceClass, renderResourceClass, operationConstant } from './typescript-methods.ts';
import { renderComment, renderProperty, renderType } from './typescript-types.ts';
import type { EventUnion, Method, Model, SdkApi, WebhookEvent } from './ir.ts';

const HEADER = '// Made by `npm run generate` from the operations of the API. Change those instead.\n\n';

/** Folder of the generated part of the TypeScript SDK, relative to the project. */
export const TYPESCRIPT_SDK = 'sdk/typescript/src/generated/';

/** Returns the generated files by name. */
export function generateTypescriptSdk(api: SdkApi): Record<string, string> {
  const files = {
    'version.ts': renderVersionFile(api),
    'models.ts': renderModelsFile(api),
    'operations.ts': renderOperationsFile(api),
    'resources.ts': renderResourcesFile(api),
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, `${HEADER}${text}`]));
}

function renderVersionFile({ version }: SdkApi): string {
  const manifest = readFileSync(new URL('sdk/typescript/package.json', projectRoot()), 'utf8');
  const { version: sdkVersion } = JSON.parse(manifest) as { version: string };
  return `/** The dated version of the API that every request asks for. */
export const API_VERSION = '${version}';
export const SDK_VERSION = '${sdkVersion}';
`;
}

function renderModelsFile({ models, eventUnions, webhookEvents, errors }: SdkApi): string {
  return [
    "import type { StreamEventOf } from '../stream-event.ts';\n",
    `/** Codes of errors; others may come. */\nexport type ErrorCode =\n${errors.map(({ code }) => `  | '${code}'`).join('\n')}\n  | (string & {});\n`,
    ...models.map(renderModel),
    ...eventUnions.map(renderEventUnion),
    ...webhookEvents.map(renderWebhook),
    `/** The body of a webhook. Events with other names may come: have a default for them. */\nexport type WebhookEvent =\n${webhookEvents.map(({ name }) => `  | ${name}`).join('\n')};\n`,
  ].join('\n');
}

function renderModel({ name, description, fields, takesOthers }: Model): string {
  const lines = fields.map((field) => renderProperty(field, '  '));
  if (takesOthers) lines.push('  [name: string]: unknown;\n');
  return `${renderComment([description])}export interface ${name} {\n${lines.join('')}}\n`;
}

function renderEventUnion({ name, description, events }: EventUnion): string {
  const members = events.map(
    (event) =>
      `${renderComment([event.description], '  ')}  | StreamEventOf<'${event.event}', ${renderType(event.data)}>`,
  );
  return `${renderComment([description])}export type ${name} =\n${members.join('\n')};\n`;
}

function renderWebhook({ name, event, description, data }: WebhookEvent): string {
  return `${renderComment([description])}export interface ${name} {\n  event: '${event}';\n  data: ${renderType(data)};\n}\n`;
}

function renderOperationsFile({ resources }: SdkApi): string {
  const methods = resources.flatMap((resource) => resource.methods);
  return [
    "import type { Operation } from '../options.ts';\n",
    ...methods.map(
      (method) => `export const ${operationConstant(method)}: Operation = ${renderOperationText(method)};\n`,
    ),
  ].join('\n');
}

function renderOperationText({
  operationId,
  http,
  auth,
  takesIdempotencyKey,
  patience,
  answer,
}: Method): string {
  const accept = { json: 'application/json', pages: 'application/json', keyset: 'application/json' } as const;
  const mediaType =
    answer.kind === 'stream' ? 'text/event-stream' : (accept[answer.kind as keyof typeof accept] ?? '*/*');
  return `{
  id: '${operationId}',
  method: '${http.method}',
  path: '${http.path}',
  auth: '${auth}',
  takesIdempotencyKey: ${takesIdempotencyKey},
  patience: '${patience}',
  accept: '${mediaType}',${renderExtra(answer)}
}`;
}

function renderExtra({ kind }: Method['answer']): string {
  if (kind === 'redirect') return '\n  redirects: true,';
  return kind === 'binary' ? '\n  isFile: true,' : '';
}

function renderResourcesFile({ resources, models, eventUnions }: SdkApi): string {
  const classes = resources.map((resource) => renderResourceClass(resource, eventUnions));
  const text = classes.join('\n');
  const known = [...models, ...eventUnions].map(({ name }) => name);
  const used = known.filter((name) =>
    new RegExp(`\\b${name}\\b`).test(text.replaceAll(/\/\*\*[^]*?\*\//g, '')),
  );
  const members = resources.map(
    ({ name, description }) =>
      `${renderComment([description], '  ')}  readonly ${name}: ${toResourceClass(name)};\n`,
  );
  const assignments = resources.map(
    ({ name }) => `    this.${name} = new ${toResourceClass(name)}(caller);\n`,
  );
  return `import type { ApiPromise } from '../api-promise.ts';
import type { Caller } from '../caller.ts';
import type { EventStream } from '../event-stream.ts';
import type { CallOptions } from '../options.ts';
import type { ListPage, Page, PagePromise } from '../pages.ts';
import type { Upload } from '../uploads.ts';
import type {
${used.map((name) => `  ${name},\n`).join('')}} from './models.ts';
import * as operations from './operations.ts';

${text}
/** Every resource of the API. */
export abstract class Resources {
${members.join('')}
  constructor(caller: Caller) {
${assignments.join('')}  }
}
`;
}
