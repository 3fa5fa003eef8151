import type { AuditedWrite, AuditSubject } from '../../../repositories/team/audit.repository.ts';
import type { AccessNotice } from '../../../services/team/access-words.ts';
import { describeDevice } from './device.ts';
import { isContentSpec, type HandlerInput, type AuditedObject, type Operation } from '../operation.ts';
import type { AuthKind, MemberContext } from './principal.ts';

type Input = HandlerInput<AuthKind, unknown, unknown, unknown>;

/**
 * Records by which a handler adds to the audit log and to notices for owners. Without `subjects`, the audit
 * log derives the written objects from the request and its response.
 */
export interface HandlerRecords {
  subjects?: readonly AuditedObject[];
  /** Email to the workspace's owners about the write. */
  notice?: AccessNotice;
}

/** Builds the audit log entries of a request from the handler's input, result and records. */
export type Audit = (
  input: Input,
  result: unknown,
  records: HandlerRecords,
) => { write: AuditedWrite; subjects: AuditSubject[] };

const PERSONAL: readonly AuthKind[] = ['member', 'session', 'account', 'user'];

/** Resource types by path parameter or schema name, where the type does not follow from that name. */
const irregularResourceTypes: Readonly<Record<string, string>> = {
  id: 'webhook',
  key_id: 'api_key',
  policy_id: 'alert_policy',
  note_id: 'conversation_note',
  provider: 'identity',
  inbox_item: 'conversation',
};

/**
 * Compiles a function that builds the audit log entries of an operation's writes. Undefined if the operation
 * writes nothing, or is not for people and API keys.
 */
export function compileAudit(operation: Operation): Audit | undefined {
  const { isWrite, auth, scope } = operation;
  if (!isWrite || scope?.endsWith(':read') || !PERSONAL.includes(auth)) return undefined;
  const findResource = compileResource(operation);
  return ({ ctx, params, sentFields, headers }, result, { subjects = [{}] }) => {
    const { orgId, userId, keyId, requestId } = ctx as MemberContext;
    const found = findResource(params as Record<string, string>, result, userId);
    const write = {
      userId,
      keyId,
      operation: operation.id,
      changedFields: [...sentFields],
      ...describeDevice(ctx, headers),
      requestId,
    };
    return {
      write,
      subjects: subjects
        .map((subject) => ({ orgId, action: null, ...found, ...subject }))
        // Skips objects outside of any workspace, since audit logs belong to workspaces.
        .filter((subject): subject is AuditSubject => subject.orgId !== null),
    };
  };
}

type Resource = Pick<AuditSubject, 'resourceType' | 'resourceId'>;

/**
 * Compiles a function that finds the resource that a request has written. This is the returned resource, or
 * else the last resource in the path. Without either, it is the caller's account, or only the type of
 * resource of the operation's tag.
 */
function compileResource({ path, tag, auth, success: { spec } }: Operation) {
  const returnedSchemaId = isContentSpec(spec) ? undefined : spec.$id;
  const [parameter] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).slice(-1);
  return (params: Record<string, string>, result: unknown, userId: string): Resource => {
    const id = findId(result);
    if (returnedSchemaId !== undefined && id !== null)
      return { resourceType: toKind(returnedSchemaId), resourceId: id };
    if (parameter === undefined && auth === 'account') return { resourceType: 'account', resourceId: userId };
    if (parameter === undefined) return { resourceType: singular(tag), resourceId: null };
    const resourceType = irregularResourceTypes[parameter] ?? parameter.replace(/_id$/, '');
    return { resourceType, resourceId: params[parameter] ?? null };
  };
}

function findId(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('id' in result)) return null;
  return typeof result.id === 'string' ? result.id : null;
}

/** Derives a resource type from the name of a response schema: `api_key` from `ApiKeyCreated`. */
function toKind(schemaName: string): string {
  const kind = schemaName
    .replace(/(Read|Created|Response|Detail)$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase();
  return irregularResourceTypes[kind] ?? kind;
}

function singular(tag: string): string {
  return tag.replaceAll('-', '_').replace(/s$/, '');
}
