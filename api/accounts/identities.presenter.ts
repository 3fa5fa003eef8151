import type { LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import type {
  EnteredAddress,
  IdentityCallback,
  IdentityStart,
} from '../../services/accounts/linked-identity-service.ts';
import type { IdentityCallbackRequest, IdentityRead, IdentityStartResponse } from './identities.schemas.ts';

export function presentIdentity(identity: LinkedIdentity): IdentityRead {
  return {
    provider: identity.provider,
    email: identity.email,
    created_at: identity.createdAt.toISOString(),
    last_login_at: identity.lastLoginAt?.toISOString() ?? null,
  };
}

export function presentIdentityStart(start: IdentityStart): IdentityStartResponse {
  return {
    authorization_url: start.authorizationUrl,
    state: start.state,
    nonce: start.nonce,
    code_verifier: start.codeVerifier,
    redirect_uri: start.redirectUri,
  };
}

export function toEnteredAddress(body: IdentityCallbackRequest): EnteredAddress {
  return { email: body.email?.toLowerCase() ?? null, code: body.email_code ?? null };
}

export function toIdentityReturn(body: IdentityCallbackRequest): IdentityCallback {
  return {
    code: body.code,
    codeVerifier: body.code_verifier,
    nonce: body.nonce ?? null,
    state: body.state ?? null,
    issuer: body.iss ?? null,
  };
}
