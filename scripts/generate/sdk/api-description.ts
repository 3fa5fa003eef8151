import { buildOpenApi } from '../../../api/http/openapi/openapi.ts';
import { operations } from '../../../api/registry.ts';
import { errorCodes } from '../../../core/errors/error-codes.ts';
import { eventCatalog } from '../../../services/webhooks/event-catalog.ts';
import { camelCase, pascalCase } from './names.ts';
import { describeMethods, type DocumentedOperation } from './methods.ts';
import { SchemaTypes, type Schema } from './schema-types.ts';
import type { Method, Resource, SdkApi, WebhookEvent } from './sdk-api.ts';

export interface OpenApiDocument {
  info: { version: string };
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}

/** Describes all operations and events of the current API version, for the generation of SDKs. */
export function describeApi(): SdkApi {
  return describeDocument(buildCurrentDocument());
}

/** Returns the OpenAPI document from which SDKs and samples are generated. */
export function buildCurrentDocument(): OpenApiDocument {
  return structuredClone(buildOpenApi(operations, 'http://localhost:3000')) as unknown as OpenApiDocument;
}

export function describeDocument(document: OpenApiDocument): SdkApi {
  const types = new SchemaTypes(document.components.schemas);
  const byTag = new Map<string, Method[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = ''] = operation.tags;
      const methodsOfTag = byTag.get(tag) ?? [];
      byTag.set(tag, methodsOfTag);
      methodsOfTag.push(...describeMethods(operation, { method, path, tag }, types));
    }
  }
  types.toType({ $ref: '#/components/schemas/Problem' }, 'Problem', 'received');
  const webhookEvents = describeWebhookEvents(types);
  return {
    version: document.info.version,
    resources: document.tags.map(({ name, description }) =>
      describeResource(name, description, byTag.get(name)),
    ),
    models: types.models(),
    eventUnions: types.eventUnions,
    webhookEvents,
    errors: Object.entries(errorCodes).map(([code, { status }]) => ({ code, status })),
  };
}

function describeResource(tag: string, description: string, methods: readonly Method[] = []): Resource {
  const names = methods.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new Error(`${tag} has two methods named ${duplicate}: see names.ts.`);
  return { name: camelCase(tag), description, methods };
}

function describeWebhookEvents(types: SchemaTypes): WebhookEvent[] {
  return eventCatalog.map(({ name: event, description, schema }) => {
    const name = `${pascalCase(event)}Event`;
    const { data } = (schema as Schema).properties ?? {};
    return { event, name, description, data: types.toType(data ?? {}, `${name}Data`, 'received') };
  });
}
