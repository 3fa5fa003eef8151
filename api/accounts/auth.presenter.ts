import type { Account } from '../../repositories/accounts/account.ts';
import type { Workspace } from '../../repositories/accounts/account.repository.ts';
import type { LiveSession } from '../../repositories/accounts/session.repository.ts';
import { parseDeviceName } from '../../services/accounts/device-name.ts';
import type { SignIn } from '../../services/accounts/sign-in-service.ts';
import type { Tokens } from '../../services/accounts/session-service.ts';
import type { UserContext } from '../http/access/principal.ts';
import type { MeRead, MfaChallengeResponse, SessionRead, TokenResponse } from './auth.schemas.ts';

export function presentTokens(tokens: Tokens): TokenResponse {
  return {
    access_token: tokens.accessToken,
    token_type: 'Bearer',
    expires_in: tokens.expiresInSeconds,
    refresh_token: tokens.refreshToken,
    org_id: tokens.orgId,
  };
}

export function presentSignIn(signIn: SignIn): TokenResponse | MfaChallengeResponse {
  if (signIn.kind === 'session') return presentTokens(signIn.tokens);
  const { token: challenge_token, expiresInSeconds: expires_in } = signIn;
  return { challenge_token, expires_in, mfa_required: true, recovery_available: true };
}

export function presentMe(
  { sessionId, keyId, scopes }: Pick<UserContext, 'sessionId' | 'keyId' | 'scopes'>,
  account: Account,
  workspace: Workspace | null,
): MeRead {
  return {
    user: {
      id: account.id,
      email: account.email,
      full_name: account.fullName,
      avatar_url: account.avatarUrl,
      is_verified: account.emailVerifiedAt !== null,
      mfa_enabled: account.mfaActivatedAt !== null,
      has_password: account.passwordHash !== null,
      created_at: account.createdAt.toISOString(),
    },
    organization: workspace && {
      id: workspace.id,
      name: workspace.name,
      slug: workspace.slug,
      plan_tier: workspace.planTier,
      role: workspace.role,
    },
    session_id: sessionId,
    api_key_id: keyId,
    scopes: keyId === null ? null : [...scopes],
  };
}

export function presentSession(session: LiveSession, currentId: string): SessionRead {
  return {
    id: session.id,
    device: parseDeviceName(session.userAgent),
    place: session.ip,
    org_id: session.orgId,
    is_current: session.id === currentId,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  };
}
