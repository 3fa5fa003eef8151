import type { FactorStatus } from '../../repositories/accounts/second-factor.repository.ts';
import type { RecoveryCodes, TotpSetup } from '../../services/accounts/mfa-service.ts';
import { TOTP_DIGITS, TOTP_PERIOD_SECONDS } from '../../services/accounts/totp.ts';
import type { MfaCodesResponse, MfaSetupResponse, MfaStatus } from './mfa.schemas.ts';

export function presentMfaStatus(status: FactorStatus): MfaStatus {
  return {
    enabled: status.activatedAt !== null,
    activated_at: status.activatedAt?.toISOString() ?? null,
    pending: status.isPending,
    recovery_codes_remaining: status.recoveryCodes,
    recovery_generated_at: status.recoveryGeneratedAt?.toISOString() ?? null,
  };
}

export function presentTotpSetup({ secret, uri }: TotpSetup): MfaSetupResponse {
  return {
    secret,
    uri,
    manual_key: secret.match(/.{1,4}/g)?.join(' ') ?? secret,
    digits: TOTP_DIGITS,
    period_seconds: TOTP_PERIOD_SECONDS,
  };
}

export function presentRecoveryCodes({ codes, generatedAt }: RecoveryCodes): MfaCodesResponse {
  return { recovery_codes: codes, generated_at: generatedAt.toISOString() };
}
