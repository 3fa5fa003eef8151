import { memoizePerObject } from '../../core/concurrency/memoize-per-object.ts';
import type { NamedAuditEvent } from '../../repositories/team/audit.repository.ts';
import { hasRole } from '../../services/team/roles.ts';
import type { KeyServiceConfig } from '../../core/encryption/key-service-config.ts';
import type { OrgWithRole } from '../../repositories/team/org.repository.ts';
import type { Hierarchy } from '../../services/team/org-service.ts';
import type { AuditEventRead, HierarchyNode, OrgRead } from './orgs.schemas.ts';
import type { DescendantOrg } from '../../repositories/team/org.sql.ts';

/** @param keyService key service of the workspace, if the caller requested the key service */
export function presentOrg(org: OrgWithRole, keyService: KeyServiceConfig | null = null): OrgRead {
  return {
    id: org.id,
    name: org.name,
    slug: org.slug,
    plan_tier: org.planTier,
    role: org.role,
    is_default: org.isDefault,
    parent_org_id: org.parentOrgId,
    settings: {
      ...org.settings,
      ...(keyService && hasRole(org.role, 'admin') && { key_service: keyService }),
    },
  };
}

/** Presents a hierarchy of workspaces as a tree. The result is cached for each hierarchy object. */
export const presentHierarchy = memoizePerObject(({ top, below }: Hierarchy): HierarchyNode => {
  const root = presentNode(top);
  const nodes = new Map([[top.id, root]]);
  for (const org of below) {
    const node = presentNode(org);
    nodes.set(org.id, node);
    nodes.get(org.parentOrgId ?? '')?.children.push(node);
  }
  return root;
});

function presentNode(org: DescendantOrg): HierarchyNode {
  return {
    id: org.id,
    name: org.name,
    slug: org.slug,
    plan_tier: org.planTier,
    is_active: org.isActive,
    depth: org.depth,
    children: [],
  };
}

export function presentAuditEvent(event: NamedAuditEvent): AuditEventRead {
  return {
    id: event.id,
    created_at: event.createdAt.toISOString(),
    user_id: event.userId,
    user_name: event.userName,
    user_email: event.userEmail,
    key_id: event.keyId,
    key_name: event.keyName,
    operation: event.operation,
    resource_type: event.resourceType,
    resource_id: event.resourceId,
    action: event.action,
    changed_fields: event.changedFields,
    ip: event.ip,
    user_agent: event.userAgent,
    request_id: event.requestId,
  };
}
