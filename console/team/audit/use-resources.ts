import type { AlertPolicy, ApiKey, AuditEvent, Bot, Invitation, Page, Webhook } from '../../client/types.ts';
import { getPolicyName } from '../../alerts/alert-words.ts';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { useApi } from '../../state/use-api.ts';
import { useMembers } from '../members/use-members.ts';
import { canManage, type Team } from '../team.ts';
import { listDescendants } from '../workspaces/tree.ts';
import { useHierarchy } from '../workspaces/use-hierarchy.ts';

/** Name and console page of the object that an audit event is about, if the console knows them. */
export interface Resource {
  /** Name of the object; undefined if the object has no name, or was deleted. */
  name?: string | undefined;
  /** Console page of the object; undefined if the object has no page. */
  href?: string | undefined;
}

/**
 * Returns a function that finds the name and the page of the object of an audit event. Loads the lists that
 * this function needs.
 */
export function useResources(team: Team, events: readonly AuditEvent[]): (event: AuditEvent) => Resource {
  const may = usePermission();
  const types = new Set(events.map(({ resource_type: type }) => type));
  const { data: bots } = useApi<Page<Bot>>(types.has('bot') ? '/api/bots?page_size=100' : null);
  const { data: members } = useMembers(team);
  const { data: invitations } = useApi<Invitation[]>(
    types.has('invitation') ? `${team.url}/invitations` : null,
  );
  const { data: keys } = useApi<ApiKey[]>(types.has('api_key') && team.isSession ? '/api/api-keys' : null);
  const { data: webhooks } = useApi<Webhook[]>(
    types.has('webhook') && may('webhooks:read', 'admin') ? '/api/webhooks' : null,
  );
  const { data: alerts } = useApi<AlertPolicy[]>(
    types.has('alert_policy') && may('alerts:read', 'viewer') ? '/api/alerts' : null,
  );
  const { data: tree } = useHierarchy(types.has('org') && canManage(team) ? team : null);
  const below = new Map(tree ? listDescendants(tree).map(({ node }) => [node.id, node.name]) : []);
  return ({ resource_type: type, resource_id: id, operation }) => {
    if (id === null) return {};
    const isSame = (each: { id: string }) => each.id === id;
    switch (type) {
      case 'bot': {
        const bot = bots?.items.find(isSame);
        return bot === undefined ? {} : { name: bot.name, href: buildHref(['bots', id]) };
      }
      case 'membership': {
        const member = members?.find(({ membership_id: memberId }) => memberId === id);
        return { name: member?.full_name, href: buildHref(['team', 'members']) };
      }
      case 'invitation': {
        const invitation = invitations?.find(isSame);
        return {
          name: invitation && `the invitation for ${invitation.email}`,
          href: buildHref(['team', 'invitations']),
        };
      }
      case 'api_key': {
        const key = keys?.find(isSame);
        return { name: key && `the API key ${key.name}`, href: buildHref(['team', 'keys']) };
      }
      case 'webhook': {
        const endpoint = webhooks?.find(isSame);
        return { name: endpoint?.url, href: endpoint && buildHref(['webhooks'], { endpoint: id }) };
      }
      case 'alert_policy': {
        const policy = alerts?.find(isSame);
        return { name: policy && `the alert ${getPolicyName(policy)}`, href: buildHref(['alerts']) };
      }
      case 'org':
        if (id === team.id) return { name: team.name, href: buildHref(['team', 'settings']) };
        return {
          name: below.has(id) ? `the sub-workspace ${below.get(id)}` : undefined,
          href: buildHref(['team', 'workspaces', id]),
        };
      case 'conversation':
        return operation.startsWith('delete') ? {} : { href: buildHref(['conversations', id]) };
      case 'delivery':
        return { href: buildHref(['webhooks', 'deliveries', id]) };
      default:
        return {};
    }
  };
}
