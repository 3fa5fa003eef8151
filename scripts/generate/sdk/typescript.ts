import { readFileSync } from 'node:fs';
import { projectRoot } from '../../launcher/project-root.ts';
import { classNameOf, classOfResource, operationConstant } from './typescript-methods.ts';
import { docComment, property, typeText } from './typescript-types.ts';
import type { EventUnion, Method, Model, SdkApi, WebhookEvent } from './ir.ts';

const HEADER = '// Made by `npm run generate` from the operations of the API. Change those instead.\n\n';

/** Folder of the generated part of the TypeScript SDK, relative to the project. */
export const TYPESCRIPT_SDK = 'sdk/typescript/src/generated/';

/** Returns the generated files by name. */
export function typescriptSdk(api: SdkApi): Record<string, string> {
  const files = {
    'version.ts': versionFile(api),
    'models.ts': modelsFile(api),
    'operations.ts': operationsFile(api),
    'resources.ts': resourcesFile(api),
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, `${HEADER}${text}`]));
}

function versionFile({ version }: SdkApi): string {
  const manifest = readFileSync(new URL('sdk/typescript/package.json', projectRoot()), 'utf8');
  const { version: sdkVersion } = JSON.parse(manifest) as { version: string };
  return `/** The dated version of the API that every request asks for. */
export const API_VERSION = '${version}';
export const SDK_VERSION = '${sdkVersion}';
`;
}

function modelsFile({ models, eventUnions, webhookEvents, errors }: SdkApi): string {
  return [
    "import type { StreamEventOf } from '../stream-event.ts';\n",
    `/** Codes of errors; others may come. */\nexport type ErrorCode =\n${errors.map(({ code }) => `  | '${code}'`).join('\n')}\n  | (string & {});\n`,
    ...models.map(modelText),
    ...eventUnions.map(unionText),
    ...webhookEvents.map(webhookText),
    `/** The body of a webhook. Events with other names may come: have a default for them. */\nexport type WebhookEvent =\n${webhookEvents.map(({ name }) => `  | ${name}`).join('\n')};\n`,
  ].join('\n');
}

function modelText({ name, description, fields, takesOthers }: Model): string {
  const lines = fields.map((field) => property(field, '  '));
  if (takesOthers) lines.push('  [name: string]: unknown;\n');
  return `${docComment([description])}export interface ${name} {\n${lines.join('')}}\n`;
}

function unionText({ name, description, events }: EventUnion): string {
  const members = events.map(
    (event) =>
      `${docComment([event.description], '  ')}  | StreamEventOf<'${event.event}', ${typeText(event.data)}>`,
  );
  return `${docComment([description])}export type ${name} =\n${members.join('\n')};\n`;
}

function webhookText({ name, event, description, data }: WebhookEvent): string {
  return `${docComment([description])}export interface ${name} {\n  event: '${event}';\n  data: ${typeText(data)};\n}\n`;
}

function operationsFile({ resources }: SdkApi): string {
  const methods = resources.flatMap((resource) => resource.methods);
  return [
    "import type { Operation } from '../options.ts';\n",
    ...methods.map(
      (method) => `export const ${operationConstant(method)}: Operation = ${operationText(method)};\n`,
    ),
  ].join('\n');
}

function operationText({ operationId, http, auth, takesIdempotencyKey, patience, answer }: Method): string {
  const accept = { json: 'application/json', pages: 'application/json', keyset: 'application/json' } as const;
  const accepted =
    answer.kind === 'stream' ? 'text/event-stream' : (accept[answer.kind as keyof typeof accept] ?? '*/*');
  return `{
  id: '${operationId}',
  method: '${http.method}',
  path: '${http.path}',
  auth: '${auth}',
  takesIdempotencyKey: ${takesIdempotencyKey},
  patience: '${patience}',
  accept: '${accepted}',${extraOf(answer)}
}`;
}

function extraOf({ kind }: Method['answer']): string {
  if (kind === 'redirect') return '\n  redirects: true,';
  return kind === 'binary' ? '\n  isFile: true,' : '';
}

function resourcesFile({ resources, models, eventUnions }: SdkApi): string {
  const classes = resources.map((resource) => classOfResource(resource, eventUnions));
  const text = classes.join('\n');
  const known = [...models, ...eventUnions].map(({ name }) => name);
  const used = known.filter((name) =>
    new RegExp(`\\b${name}\\b`).test(text.replaceAll(/\/\*\*[^]*?\*\//g, '')),
  );
  const members = resources.map(
    ({ name, description }) =>
      `${docComment([description], '  ')}  readonly ${name}: ${classNameOf(name)};\n`,
  );
  const made = resources.map(({ name }) => `    this.${name} = new ${classNameOf(name)}(caller);\n`);
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
${made.join('')}  }
}
`;
}
