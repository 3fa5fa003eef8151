import { nameFirstWorkspace } from '../../services/accounts/account-service.ts';
import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import { toSignInContext } from './sign-in-context.ts';
import { presentMe } from './auth.presenter.ts';
import {
  AccountDeleteRequest,
  ChangePasswordRequest,
  EmailOnlyRequest,
  EmailVerifyRequest,
  MeRead,
  MeUpdate,
  RegisterRequest,
  ResetPasswordRequest,
} from './auth.schemas.ts';
import { mailLimit } from './sign-in-limits.ts';

const publicAccess = { tag: 'auth', auth: 'public', scope: null, role: null } as const;
const ownAccess = { tag: 'auth', auth: 'account', scope: null, role: null } as const;

export const register = defineOperation({
  ...publicAccess,
  id: 'register',
  method: 'POST',
  path: '/api/auth/register',
  body: RegisterRequest,
  responses: { 200: Message },
  errors: ['forbidden', 'not_found'],
  summary:
    'Register an account and its first workspace; sign-in requires confirmation by email. The response is the same if the address is taken.',
  limits: mailLimit('registration'),
  prepare: async ({ ctx, body }, { accounts: { accounts, accountMail }, team: { invitations } }) => {
    const { email, password, full_name: name, invitation_token: token } = body;
    if (token === undefined) accounts.requireOpenRegistration();
    else await invitations.requireInvited(ctx.db, token, email.toLowerCase());
    await accountMail.throttle(email.toLowerCase(), 'registration');
    return accounts.hashNewPassword('password', password, [email, name]);
  },
  handle: async ({ ctx, body, prepared: passwordHash }, { accounts: { accounts } }) => {
    await accounts.register(ctx.db, {
      email: body.email.toLowerCase(),
      fullName: body.full_name,
      organizationName:
        body.invitation_token === undefined
          ? (body.organization_name ?? nameFirstWorkspace(body.full_name))
          : null,
      passwordHash,
    });
    return { message: 'Check your email, and follow the link in the message to continue.' };
  },
});

export const getMe = defineOperation({
  id: 'getMe',
  tag: 'auth',
  auth: 'user',
  scope: null,
  role: null,
  method: 'GET',
  path: '/api/auth/me',
  responses: { 200: MeRead },
  summary: 'The caller: the person and their role, the workspace, and the API key with its scopes.',
  handle: async ({ ctx }, { accounts: { accounts } }) => {
    const account = await accounts.get(ctx.db, ctx.userId);
    return presentMe(ctx, account, await accounts.findWorkspace(ctx.db, ctx.userId, ctx.orgId));
  },
});

export const updateMe = defineOperation({
  ...ownAccess,
  id: 'updateMe',
  method: 'PATCH',
  path: '/api/auth/me',
  body: MeUpdate,
  responses: { 200: MeRead },
  errors: ['not_found'],
  summary: 'Change your name, picture or default workspace. Absent fields stay unchanged.',
  handle: async ({ ctx, body }, { accounts: { accounts } }) => {
    await accounts.update(ctx.db, ctx.userId, body);
    const account = await accounts.get(ctx.db, ctx.userId);
    return presentMe(ctx, account, await accounts.findWorkspace(ctx.db, ctx.userId, ctx.orgId));
  },
});

export const deleteMe = defineOperation({
  ...ownAccess,
  id: 'deleteMe',
  method: 'POST',
  endsCaller: true,
  path: '/api/auth/me/delete',
  body: AccountDeleteRequest,
  responses: { 202: Message },
  errors: ['last_owner'],
  summary: 'Delete your account; all its sessions and API keys stop working immediately.',
  exposes: 'access',
  freshProof: 'or_in_body',
  prepare: async ({ ctx, body: { password = null, code = null } }, { accounts: { accounts, mfa } }) => ({
    account: await accounts.proveOwnership(ctx.db, ctx, { password, code }),
    attempt: await mfa.attempt(ctx.userId, code ?? ''),
  }),
  handle: async ({ ctx, body, prepared: { account, attempt } }, { accounts: { accounts, mfa } }) => {
    await mfa.confirm(ctx.db, account, body.code ?? '', attempt);
    await accounts.close(ctx.db, account);
    return { message: 'Your account is closed and is being removed.' };
  },
});

export const changePassword = defineOperation({
  ...ownAccess,
  id: 'changePassword',
  method: 'POST',
  path: '/api/auth/password/change',
  body: ChangePasswordRequest,
  responses: { 200: Message },
  summary: 'Change your password; all other sessions end.',
  exposes: 'access',
  prepare: async ({ ctx, body }, { accounts: { accounts } }) => {
    const account = await accounts.checkPassword(
      ctx.db,
      ctx.userId,
      'current_password',
      body.current_password,
    );
    const personalWords = [account.email, account.fullName];
    return {
      account,
      passwordHash: await accounts.hashNewPassword('new_password', body.new_password, personalWords),
    };
  },
  handle: async ({ ctx, prepared: { account, passwordHash } }, { accounts: { accounts } }) => {
    await accounts.changePassword(ctx.db, account, passwordHash, ctx.sessionId);
    return { message: 'The password is changed, and all other sessions are ended.' };
  },
});

export const forgotPassword = defineOperation({
  ...publicAccess,
  id: 'forgotPassword',
  method: 'POST',
  path: '/api/auth/password/forgot',
  body: EmailOnlyRequest,
  responses: { 200: Message },
  summary:
    'Email a link to set a new password. It works once, within 30 minutes by default. The response is the same for any address.',
  limits: mailLimit('reset'),
  prepare: ({ ctx, body }, { accounts: { accountMail } }) =>
    accountMail.throttleRequest(ctx.db, body.email.toLowerCase(), ctx.ip, 'reset'),
  handle: async ({ ctx, body }, { accounts: { accountMail } }) => {
    await accountMail.insertRequest(ctx.db, 'reset_password', body.email.toLowerCase());
    return { message: 'If there is an account for this address, a link is on its way.' };
  },
});

export const resetPassword = defineOperation({
  ...publicAccess,
  id: 'resetPassword',
  method: 'POST',
  path: '/api/auth/password/reset',
  body: ResetPasswordRequest,
  responses: { 200: Message },
  summary:
    'Set a new password with the link’s token. Ends all sessions; on request, also revokes API keys and unlinks identity providers. Two-factor authentication stays on. The response lists the remaining credentials.',
  guesses: 'link',
  prepare: async ({ ctx, body }, { accounts: { accounts, mailedLinks } }) => {
    const account = await mailedLinks.getResetAccount(ctx.db, body.token);
    const known = [account.email, account.fullName];
    return {
      account,
      passwordHash: await accounts.hashNewPassword('new_password', body.new_password, known),
    };
  },
  handle: async (
    { ctx, body, headers, prepared: { account, passwordHash } },
    { accounts: { mailedLinks } },
  ) => {
    const { token, end_other_access: endsOtherAccess = false } = body;
    const access = await mailedLinks.resetPassword(ctx.db, account, {
      token,
      passwordHash,
      signInContext: toSignInContext(ctx, headers, 'resetPassword'),
      endsOtherAccess,
    });
    return { message: `Your password is set. Sign in with the new password. ${access}` };
  },
});

export const verifyEmail = defineOperation({
  ...publicAccess,
  id: 'verifyEmail',
  method: 'POST',
  path: '/api/auth/email/verify',
  body: EmailVerifyRequest,
  responses: { 200: Message },
  summary:
    'Verify your address with the emailed token. If you do not send the password from the registration, all earlier credentials of the account stop working.',
  guesses: 'link',
  prepare: ({ ctx, body }, { accounts: { mailedLinks } }) =>
    mailedLinks.checkConfirmation(ctx.db, {
      token: body.token,
      password: body.password ?? null,
      newPassword: body.new_password ?? null,
    }),
  handle: async ({ ctx, body, headers, prepared: confirmation }, { accounts: { mailedLinks } }) => {
    const signInContext = toSignInContext(ctx, headers, 'verifyEmail');
    const hasPassword = await mailedLinks.verifyEmail(ctx.db, body.token, confirmation, signInContext);
    const next = hasPassword
      ? 'sign in with your password.'
      : 'the account has no password yet: set one with “Forgot the password?”, or sign in with an emailed code.';
    return { message: `The address is verified; ${next}` };
  },
});

export const resendVerification = defineOperation({
  ...publicAccess,
  id: 'resendVerification',
  method: 'POST',
  path: '/api/auth/email/resend',
  body: EmailOnlyRequest,
  responses: { 200: Message },
  summary: 'Email the verification link again. The response is the same for any address.',
  limits: mailLimit('verification'),
  prepare: ({ ctx, body }, { accounts: { accountMail } }) =>
    accountMail.throttleRequest(ctx.db, body.email.toLowerCase(), ctx.ip, 'verification'),
  handle: async ({ ctx, body }, { accounts: { accountMail } }) => {
    await accountMail.insertRequest(ctx.db, 'verify_email', body.email.toLowerCase());
    return { message: 'If this address belongs to an unverified account, a link is on its way.' };
  },
});
