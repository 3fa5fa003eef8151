import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { orgRoles } from '../../entities/team/membership.entity.ts';
import { HIERARCHY_LEVELS } from '../../entities/team/org.entity.ts';
import { KeyServiceRead, KeyServiceUpdate } from './key-service.schemas.ts';
import { DateTime, Nullable, Open, SingleLine, Strict, StringEnum, Uuid } from '../http/schemas/schemas.ts';

export const OrgParams = Type.Object({ org_id: Uuid('The workspace.') });

export const Role = StringEnum(orgRoles, {
  description:
    'owner: everything; admin: everything not reserved for the owner; member: works with bots; viewer: reads.',
});

const Name = SingleLine({
  minLength: 2,
  maxLength: 255,
  description: 'The workspace’s name.',
  examples: ['Acme Bakery'],
});

export const OrgCreate = Strict({ name: Name }, { $id: 'OrgCreate', description: 'A new workspace.' });

const settings = {
  default_language: Type.String({
    minLength: 1,
    maxLength: 16,
    pattern: '^(auto|[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*)$',
    description: 'The default language of new bots: a language tag, or auto for the visitor’s language.',
    examples: ['de'],
  }),
  time_zone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The time zone of times in emails and text transcripts; UTC by default.',
    examples: ['Europe/Lisbon'],
  }),
};

const OrgSettings = Type.Object(
  {
    default_language: Type.Optional(settings.default_language),
    time_zone: Type.Optional(settings.time_zone),
    key_service: Type.Optional(KeyServiceRead),
  },
  {
    $id: 'OrgSettings',
    additionalProperties: true,
    description: 'Settings of a workspace, including custom keys; unset settings are absent.',
  },
);

const OrgSettingsUpdate = Open(
  {
    default_language: Type.Optional(Nullable(settings.default_language)),
    time_zone: Type.Optional(Nullable(settings.time_zone)),
    key_service: Type.Optional(Nullable(KeyServiceUpdate)),
  },
  {
    $id: 'OrgSettingsUpdate',
    description: 'The settings to change; null removes a setting, and absent settings stay unchanged.',
  },
);

export const OrgUpdate = Strict(
  {
    name: Type.Optional(Name),
    is_active: Type.Optional(
      Type.Boolean({
        description:
          'If false, API keys and bots of the workspace stop working until the value is true again. Only owners may change this field.',
      }),
    ),
    settings: Type.Optional(OrgSettingsUpdate),
  },
  { $id: 'OrgUpdate', description: 'Changes to a workspace.' },
);

export const OrgRead = Type.Object(
  {
    id: Uuid('The workspace’s id.'),
    name: Type.String({ description: 'Display name of the workspace.' }),
    slug: Type.String({ description: 'The workspace’s name in URLs.', examples: ['acme-bakery'] }),
    plan_tier: Type.String({ description: 'The workspace’s plan.', examples: ['starter'] }),
    role: Role,
    is_default: Type.Boolean({ default: false, description: 'Whether the caller’s sessions start here.' }),
    parent_org_id: Nullable(Uuid('The parent workspace; null for a top-level one.')),
    settings: Type.Optional(OrgSettings),
  },
  { $id: 'OrgRead', description: 'A workspace, with the caller’s role in it.' },
);
export type OrgRead = Static<typeof OrgRead>;

export interface HierarchyNode {
  id: string;
  name: string;
  slug: string;
  plan_tier: string;
  is_active: boolean;
  depth: number;
  children: HierarchyNode[];
}

/**
 * Builds the schema of a workspace tree with a limited depth, for validators and serializers. The OpenAPI
 * document shows it as a recursive component.
 */
function buildNodeSchema(levelsBelow: number): TSchema {
  const child = levelsBelow > 0 ? buildNodeSchema(levelsBelow - 1) : Type.Never();
  return Type.Object(
    {
      id: Uuid('The workspace’s id.'),
      name: Type.String({ description: 'Display name of the workspace.' }),
      slug: Type.String({ description: 'The workspace’s name in URLs.' }),
      plan_tier: Type.String({ description: 'The workspace’s plan.' }),
      is_active: Type.Boolean({
        description: 'Whether the workspace is active. If false, its API keys and bots are disabled.',
      }),
      depth: Type.Integer({
        description: 'Depth in the hierarchy: 0 for a top-level workspace; at most 4.',
      }),
      children: Type.Array(child, {
        default: [],
        description: 'The workspaces directly below this one, oldest first.',
        examples: [[]],
      }),
    },
    { $id: 'HierarchyNode', description: 'A workspace with its sub-workspaces.' },
  );
}

export const HierarchyNode = Type.Unsafe<HierarchyNode>(buildNodeSchema(HIERARCHY_LEVELS - 1));

export const AuditQuery = Strict({
  user_id: Type.Optional(Uuid('Only actions of this person.')),
  key_id: Type.Optional(Uuid('Only actions with this API key.')),
  operation: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only this operation.', examples: ['updateBot'] }),
  ),
  resource_type: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only objects of this kind.', examples: ['bot'] }),
  ),
  resource_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only this object.' })),
  since: Type.Optional(DateTime('Only events at this time or later.')),
  before: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Only events before this time, or before the event with this id.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of events.' }),
  ),
});

export const AuditEventRead = Type.Object(
  {
    id: Uuid('The event’s id.'),
    created_at: DateTime('Time of the action.'),
    user_id: Uuid('The acting user, or the creator of the API key that acted.'),
    user_name: Nullable(Type.String({ description: 'The user’s name; null if the account was deleted.' })),
    user_email: Nullable(
      Type.String({ description: 'The user’s email address; null if the account was deleted.' }),
    ),
    key_id: Nullable(Uuid('The API key that was used; null for a signed-in person.')),
    key_name: Nullable(Type.String({ description: 'The key’s name.' })),
    operation: Type.String({ description: 'The operation of this API.', examples: ['updateBot'] }),
    resource_type: Type.String({ description: 'The kind of object.', examples: ['bot'] }),
    resource_id: Nullable(
      Type.String({ description: 'The object’s id; a bulk write creates an event for each object.' }),
    ),
    action: Nullable(
      Type.String({
        description: 'The action, if the operation has several actions; null if it has only one.',
        examples: ['resolve'],
      }),
    ),
    changed_fields: Type.Array(Type.String(), {
      description: 'Names of the fields in the request; their values are not stored.',
      examples: [['name', 'temperature']],
    }),
    ip: Type.String({ description: 'IP address of the request.', examples: ['203.0.113.9'] }),
    user_agent: Nullable(Type.String({ description: 'User-Agent of the request.' })),
    request_id: Type.String({ description: 'X-Request-ID of the request.' }),
  },
  { $id: 'AuditEventRead', description: 'A write or a sign-in.' },
);
export type AuditEventRead = Static<typeof AuditEventRead>;
