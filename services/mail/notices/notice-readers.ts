import { orgRoles, type OrgRole } from '../../../entities/team/membership.entity.ts';
import type { Mail } from '../rendering/mail-templates.ts';

/** Email to members of a workspace about an event in it. */
export type Notice = Exclude<
  Extract<Mail, { userId: string }>,
  { template: 'week_brought' | 'announcement' }
>;

const OWNERS: readonly OrgRole[] = ['owner'];
const ADMINS: readonly OrgRole[] = ['owner', 'admin'];
/** Roles of members who may answer conversations. */
export const AGENTS: readonly OrgRole[] = ['owner', 'admin', 'member'];

/** Roles whose members get an email about an event in their workspace, by template. */
export const readerRoles: { readonly [T in Notice['template']]: readonly OrgRole[] } = {
  webhook_disabled: ADMINS,
  alerts_blocked: ADMINS,
  calendar_failing: ADMINS,
  key_service_failing: OWNERS,
  key_service_back: OWNERS,
  handoff_requested: AGENTS,
  note_mention: orgRoles,
  lead_captured: AGENTS,
  content_failed: AGENTS,
  usage_reached: AGENTS,
  plan_used: ADMINS,
  meeting_booked: ADMINS,
  meeting_moved: ADMINS,
  meeting_cancelled: ADMINS,
  meeting_conflict: ADMINS,
};

export function isNotice(template: string): template is Notice['template'] {
  return Object.hasOwn(readerRoles, template);
}
