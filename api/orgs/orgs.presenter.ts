import type { NamedAuditEvent } from '../../repositories/audit.repository.ts';
import type { SeenOrg } from '../../repositories/org.repository.ts';
import type { HierarchyNode as Node } from '../../services/team/orgs.service.ts';
import type { AuditEventRead, HierarchyNode, OrgRead } from './orgs.schemas.ts';

export function presentOrg(org: SeenOrg): OrgRead {
  return {
    id: org.id,
    name: org.name,
    slug: org.slug,
    plan_tier: org.planTier,
    role: org.role,
    is_default: org.isDefault,
    parent_org_id: org.parentOrgId,
  };
}

export function presentNode(node: Node): HierarchyNode {
  return {
    id: node.id,
    name: node.name,
    slug: node.slug,
    plan_tier: node.planTier,
    is_active: node.isActive,
    depth: node.depth,
    children: node.children.map(presentNode),
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
    changed_fields: event.changedFields,
    ip: event.ip,
    user_agent: event.userAgent,
    request_id: event.requestId,
  };
}
