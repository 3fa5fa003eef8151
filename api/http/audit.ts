import { newId } from '../../core/ids.ts';
import type { NewAuditEvent } from '../../repositories/audit.repository.ts';
import { deviceOf } from './device.ts';
import { isContentSpec, isMultipart, type HandlerInput, type Operation } from './operation.ts';
import type { AuthKind, MemberContext } from './principal.ts';

type Input = HandlerInput<AuthKind, unknown, unknown, unknown>;

/** What is noted of a write, by the handler's input and what it answered; null for calls in no workspace. */
export type AuditNote = (input: Input, result: unknown) => NewAuditEvent | null;

const PERSONAL: readonly AuthKind[] = ['member', 'session', 'account', 'user'];

/** Parameters whose names do not tell what they are the ids of. */
const namedOtherwise: Readonly<Record<string, string>> = { id: 'webhook', key_id: 'api_key' };

/** How writes of an operation are noted; undefined for what people do not do, or what writes nothing. */
export function compileAudit(operation: Operation): AuditNote | undefined {
  const { isWrite, auth, scope } = operation;
  if (!isWrite || scope?.endsWith(':read') || !PERSONAL.includes(auth)) return undefined;
  const resourceOf = compileResource(operation);
  return ({ ctx, params, body, headers }, result) => {
    const { orgId, userId, keyId, requestId } = ctx as MemberContext;
    if (orgId === null) return null;
    return {
      id: newId(),
      orgId,
      userId,
      keyId,
      operation: operation.id,
      ...resourceOf(params as Record<string, string>, result),
      changedFields: fieldsOf(operation, body),
      ...deviceOf(ctx, headers),
      requestId,
    };
  };
}

type Resource = Pick<NewAuditEvent, 'resourceType' | 'resourceId'>;

/** The thing that is answered with, or else the last one that the path names, or else things of the operation's kind. */
function compileResource({ path, tag, success: { spec } }: Operation) {
  const answered = isContentSpec(spec) ? undefined : spec.$id;
  const [parameter] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).slice(-1);
  return (params: Record<string, string>, result: unknown): Resource => {
    const id = idOf(result);
    if (answered !== undefined && id !== null) return { resourceType: kindOf(answered), resourceId: id };
    if (parameter === undefined) return { resourceType: singular(tag), resourceId: null };
    const resourceType = namedOtherwise[parameter] ?? parameter.replace(/_id$/, '');
    return { resourceType, resourceId: params[parameter] ?? null };
  };
}

function idOf(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('id' in result)) return null;
  return typeof result.id === 'string' ? result.id : null;
}

/** `ApiKeyCreated` shows an `api_key`. */
function kindOf(schemaName: string): string {
  return schemaName
    .replace(/(Read|Created|Response|Detail)$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase();
}

function singular(tag: string): string {
  return tag.replaceAll('-', '_').replace(/s$/, '');
}

function fieldsOf({ body: spec }: Operation, body: unknown): string[] {
  if (!spec || isMultipart(spec) || typeof body !== 'object' || body === null) return [];
  return Object.keys(body);
}
