import type { PausedKind } from '../../entities/accounts/account-request.entity.ts';

/** Hints in error messages and emails: other ways to sign in while codes or passwords are paused. */
export const SIGN_IN_ALTERNATIVES = {
  mailed_codes_paused: 'Other ways to sign in still work.',
  factor_codes_paused: 'Recovery codes still work.',
} as const satisfies Record<PausedKind, string>;
