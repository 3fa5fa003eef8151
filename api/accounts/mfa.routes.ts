import { accountNotices } from '../../services/accounts/account-notices.ts';
import { accessWords } from '../../services/team/access-words.ts';
import { defineOperation } from '../http/operation.ts';
import { toSignInContext } from './sign-in-context.ts';
import { presentTokens } from './auth.presenter.ts';
import { TokenResponse } from './auth.schemas.ts';
import { presentMfaStatus, presentRecoveryCodes, presentTotpSetup } from './mfa.presenter.ts';
import {
  MfaActivateRequest,
  MfaCodesResponse,
  MfaDisableRequest,
  MfaSetupResponse,
  MfaStatus,
  MfaVerifyRequest,
} from './mfa.schemas.ts';

const ownAccess = { tag: 'auth', auth: 'account', scope: null, role: null } as const;

export const getMfaStatus = defineOperation({
  ...ownAccess,
  id: 'getMfaStatus',
  method: 'GET',
  path: '/api/auth/mfa',
  responses: { 200: MfaStatus },
  summary: 'Whether the second factor is on or being set up, and the number of unused recovery codes.',
  handle: async ({ ctx }, { accounts: { mfa } }) => presentMfaStatus(await mfa.status(ctx.db, ctx.userId)),
});

export const setupMfa = defineOperation({
  ...ownAccess,
  id: 'setupMfa',
  method: 'POST',
  path: '/api/auth/mfa/setup',
  responses: { 200: MfaSetupResponse },
  errors: ['conflict'],
  summary:
    'Start setting up an authenticator app. The secret is returned only in this response, and replaces a pending secret.',
  exposes: 'access',
  freshProof: true,
  handle: async ({ ctx }, { accounts: { mfa } }) => presentTotpSetup(await mfa.setUp(ctx.db, ctx.userId)),
});

export const activateMfa = defineOperation({
  ...ownAccess,
  id: 'activateMfa',
  method: 'POST',
  path: '/api/auth/mfa/activate',
  body: MfaActivateRequest,
  responses: { 200: MfaCodesResponse },
  summary: 'Turn on the second factor with a code from the authenticator app. All other sessions end.',
  exposes: 'access',
  notifies: () => accessWords.factorSwitched(true),
  guesses: 'second_factor',
  prepare: ({ ctx, body }, { accounts: { mfa } }) => mfa.attempt(ctx.userId, body.code),
  handle: async ({ ctx, body, prepared: attempt }, { accounts: { mfa } }) =>
    presentRecoveryCodes(await mfa.activate(ctx.db, ctx, body.code, attempt)),
});

export const verifyMfa = defineOperation({
  tag: 'auth',
  auth: 'public',
  scope: null,
  role: null,
  id: 'verifyMfa',
  method: 'POST',
  path: '/api/auth/mfa/verify',
  body: MfaVerifyRequest,
  responses: { 200: TokenResponse },
  errors: ['unauthenticated'],
  summary:
    'Complete a sign-in with a code from the authenticator app or a recovery code. Each code works once.',
  guesses: 'second_factor',
  prepare: ({ body }, { accounts: { mfa } }) => mfa.checkChallenge(body.challenge_token, body.code),
  handle: async ({ ctx, body, headers, prepared: opened }, { accounts: { mfa } }) =>
    presentTokens(await mfa.answer(ctx.db, opened, body.code, toSignInContext(ctx, headers, 'verifyMfa'))),
});

export const disableMfa = defineOperation({
  ...ownAccess,
  id: 'disableMfa',
  method: 'POST',
  path: '/api/auth/mfa/disable',
  body: MfaDisableRequest,
  responses: { 200: MfaStatus },
  summary:
    'Turn off the second factor with a code and the password (or a recent sign-in if the account has none). All other sessions end.',
  exposes: 'access',
  freshProof: 'or_in_body',
  notifies: () => accessWords.factorSwitched(false),
  guesses: 'second_factor',
  prepare: async ({ ctx, body }, { accounts: { accounts, mfa } }) => {
    await accounts.proveOwnership(ctx.db, ctx, { password: body.password });
    return mfa.attempt(ctx.userId, body.code);
  },
  handle: async ({ ctx, body, prepared: attempt }, { accounts: { mfa } }) =>
    presentMfaStatus(await mfa.disable(ctx.db, ctx, body.code, attempt)),
});

export const regenerateRecoveryCodes = defineOperation({
  ...ownAccess,
  id: 'regenerateRecoveryCodes',
  method: 'POST',
  path: '/api/auth/mfa/recovery-codes',
  body: MfaActivateRequest,
  responses: { 200: MfaCodesResponse },
  summary: 'Replace all recovery codes. Requires a code from the authenticator app.',
  exposes: 'access',
  freshProof: true,
  notifies: () => accessWords.recoveryCodesRenewed(accountNotices.recoveryCodesRenewed()),
  guesses: 'second_factor',
  prepare: ({ ctx, body }, { accounts: { mfa } }) => mfa.attempt(ctx.userId, body.code),
  handle: async ({ ctx, body, prepared: attempt }, { accounts: { mfa } }) =>
    presentRecoveryCodes(await mfa.renewCodes(ctx.db, ctx.userId, body.code, attempt)),
});
