import { Type } from '@sinclair/typebox';
import { accessWords } from '../../services/team/access-words.ts';
import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import { presentAuditEvent, presentHierarchy, presentOrg } from './orgs.presenter.ts';
import {
  AuditEventRead,
  AuditQuery,
  HierarchyNode,
  OrgCreate,
  OrgParams,
  OrgRead,
  OrgUpdate,
} from './orgs.schemas.ts';

const readAccess = { tag: 'orgs', auth: 'member', scope: 'org:read', role: 'viewer' } as const;
const writeAccess = { tag: 'orgs', auth: 'member', scope: 'org:write', role: 'admin' } as const;

export const listOrgs = defineOperation({
  id: 'listOrgs',
  isLong: true,
  tag: 'orgs',
  auth: 'user',
  scope: 'org:read',
  role: null,
  method: 'GET',
  path: '/api/orgs',
  responses: { 200: Type.Array(OrgRead) },
  summary:
    'The workspaces that the caller belongs to, with the role in each; an API key lists its own workspace and the workspaces below it.',
  handle: async ({ ctx }, { team: { orgs } }) =>
    (await orgs.list(ctx.db, ctx.userId, ctx.keyId === null ? null : ctx.orgId)).map((org) =>
      presentOrg(org),
    ),
});

export const createOrg = defineOperation({
  id: 'createOrg',
  tag: 'orgs',
  auth: 'account',
  scope: null,
  role: null,
  method: 'POST',
  path: '/api/orgs',
  body: OrgCreate,
  responses: { 201: OrgRead },
  errors: ['quota_exceeded'],
  summary: 'Create a top-level workspace; the caller becomes its owner.',
  handle: async ({ ctx, body, noteSubjects }, { team: { orgs } }) => {
    const org = await orgs.create(ctx.db, ctx.userId, body.name);
    noteSubjects([{ orgId: org.id }]);
    return presentOrg(org);
  },
});

export const getOrg = defineOperation({
  ...readAccess,
  id: 'getOrg',
  method: 'GET',
  path: '/api/orgs/{org_id}',
  params: OrgParams,
  responses: { 200: OrgRead },
  summary: 'One workspace, with the caller’s role in it.',
  revision: { ignores: [], lock: ({ ctx }, { team: { orgs } }) => orgs.lock(ctx) },
  handle: async ({ ctx }, { team: { orgs }, encryption: { keyServiceSettings } }) =>
    presentOrg(await orgs.get(ctx, ctx.userId), await keyServiceSettings.find(ctx)),
});

export const updateOrg = defineOperation({
  ...writeAccess,
  id: 'updateOrg',
  method: 'PATCH',
  endsCaller: true,
  path: '/api/orgs/{org_id}',
  params: OrgParams,
  body: OrgUpdate,
  responses: { 200: OrgRead },
  errors: ['conflict', 'url_refused', 'key_unavailable'],
  summary:
    'Change name or settings. Owners can also deactivate and reactivate the workspace, and set the service that manages its own key.',
  revises: getOrg,
  exposes: 'access',
  freshProof: {
    isNeeded: ({ settings }) => settings?.key_service !== undefined,
    where: 'if the request sets or removes settings.key_service',
  },
  notifies: 'handler',
  needsPrepare: ({ body }) => body.settings?.key_service !== undefined,
  prepare: ({ ctx, body }, { encryption: { keyServiceSettings } }) =>
    keyServiceSettings.testService(ctx, body.settings?.key_service ?? null),
  handle: async (
    { ctx, body: { settings, ...body }, prepared, notifyOwners },
    { team: { orgs }, encryption: { keyServiceSettings } },
  ) => {
    const { key_service: keyService, ...others } = settings ?? {};
    const previous = keyService === undefined ? null : await keyServiceSettings.find(ctx);
    if (keyService !== undefined) await keyServiceSettings.set(ctx, prepared);
    const org = await orgs.update(ctx, { ...body, ...(settings && { settings: others }) });
    const config = await keyServiceSettings.find(ctx);
    if (keyService !== undefined && (previous ?? config) !== null)
      notifyOwners(accessWords.keyServiceSet(config));
    return presentOrg(org, config);
  },
  settle: async ({ ctx, body, result }, { encryption: { keyServiceSettings } }) => {
    if (body.settings?.key_service !== undefined) keyServiceSettings.forget(ctx.orgId);
    return result;
  },
});

export const deleteOrg = defineOperation({
  id: 'deleteOrg',
  endsCaller: true,
  tag: 'orgs',
  auth: 'session',
  scope: null,
  role: 'owner',
  method: 'DELETE',
  path: '/api/orgs/{org_id}',
  params: OrgParams,
  responses: { 202: Message },
  errors: ['conflict'],
  summary:
    'Delete a workspace that has no sub-workspaces, with everything in it. Its owners are notified by email, and the parent’s audit log records it.',
  exposes: 'access',
  freshProof: true,
  notifies: () => accessWords.workspaceDeleted(),
  handle: async ({ ctx, noteSubjects }, { team: { orgs } }) => {
    const { parentOrgId } = await orgs.delete(ctx);
    // Record the deletion in the parent's audit log as well: the workspace's own log is deleted with the
    // workspace.
    noteSubjects(parentOrgId === null ? [{}] : [{}, { orgId: parentOrgId }]);
    return { message: 'The workspace is deleted; its data is being removed.' };
  },
});

export const getOrgHierarchy = defineOperation({
  ...readAccess,
  id: 'getOrgHierarchy',
  isLong: true,
  method: 'GET',
  path: '/api/orgs/{org_id}/hierarchy',
  params: OrgParams,
  responses: { 200: HierarchyNode },
  isLarge: true,
  summary: 'The workspace and all workspaces below it, as a tree.',
  handle: async ({ ctx }, { team: { orgs } }) => presentHierarchy(await orgs.getHierarchy(ctx)),
});

export const createChildOrg = defineOperation({
  ...writeAccess,
  id: 'createChildOrg',
  method: 'POST',
  path: '/api/orgs/{org_id}/children',
  params: OrgParams,
  body: OrgCreate,
  responses: { 201: OrgRead },
  errors: ['hierarchy_too_deep', 'quota_exceeded'],
  summary:
    'Create a client workspace below this one, at most five levels deep; the caller becomes its owner.',
  handle: async ({ ctx, body, noteSubjects }, { team: { orgs } }) => {
    const org = await orgs.createChild(ctx, body.name);
    noteSubjects([{}, { orgId: org.id }]);
    return presentOrg(org);
  },
});

export const listAuditEvents = defineOperation({
  ...readAccess,
  id: 'listAuditEvents',
  isLong: true,
  role: 'admin',
  method: 'GET',
  path: '/api/orgs/{org_id}/audit-log',
  params: OrgParams,
  query: AuditQuery,
  responses: { 200: Type.Array(AuditEventRead) },
  summary: 'Audit log: actor, action, object and IP address, newest first.',
  handle: async ({ ctx, query }, { team: { audit } }) =>
    (await audit.list(ctx, query)).map(presentAuditEvent),
});
