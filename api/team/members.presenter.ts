import type { NamedInvitation } from '../../repositories/team/invitation.repository.ts';
import type { LinkedInvitation } from '../../services/team/invitation-service.ts';
import type { Member } from '../../repositories/team/member.repository.ts';
import type { InvitationPreview, InvitationRead, MemberRead } from './members.schemas.ts';

export function presentMember(member: Member): MemberRead {
  return {
    membership_id: member.membershipId,
    user_id: member.userId,
    email: member.email,
    full_name: member.fullName,
    avatar_url: member.avatarUrl,
    is_verified: member.isVerified,
    role: member.role,
    is_default: member.isDefault,
    joined_at: member.joinedAt.toISOString(),
    last_login_at: member.lastSignInAt?.toISOString() ?? null,
  };
}

/** @param link the invitation's link, which only the response to its creation contains */
export function presentInvitation(invitation: NamedInvitation, link: string | null): InvitationRead {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    status: invitation.status,
    expires_at: invitation.expiresAt.toISOString(),
    created_at: invitation.createdAt.toISOString(),
    accepted_at: invitation.acceptedAt?.toISOString() ?? null,
    invited_by: invitation.invitedBy,
    mail_state: invitation.mailState,
    reminded_at: invitation.remindedAt?.toISOString() ?? null,
    link,
  };
}

export function presentPreview(invitation: LinkedInvitation): InvitationPreview {
  return {
    organization_name: invitation.orgName,
    organization_slug: invitation.orgSlug,
    email: invitation.email,
    role: invitation.role,
    expires_at: invitation.expiresAt.toISOString(),
    has_account: invitation.isMailed && invitation.userId !== null,
    takes_account: !invitation.isMailed,
    invited_by: invitation.invitedBy || null,
  };
}
