import { Type } from '@sinclair/typebox';
import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import { toSignInContext } from './sign-in-context.ts';
import { presentSession, presentSignIn, presentTokens } from './auth.presenter.ts';
import {
  EmailOnlyRequest,
  LoginRequest,
  OtpVerifyRequest,
  RefreshRequest,
  SessionParams,
  SessionRead,
  SignInResponse,
  SwitchOrgRequest,
  TokenResponse,
} from './auth.schemas.ts';
import { mailLimit } from './sign-in-limits.ts';

const publicAccess = { tag: 'auth', auth: 'public', scope: null, role: null } as const;
const ownAccess = { tag: 'auth', auth: 'account', scope: null, role: null } as const;

export const login = defineOperation({
  ...publicAccess,
  id: 'login',
  method: 'POST',
  path: '/api/auth/login',
  body: LoginRequest,
  responses: { 200: SignInResponse },
  errors: ['unauthenticated'],
  summary: 'Sign in with a password. Returns tokens, or a challenge if a second factor is required.',
  guesses: 'password',
  prepare: ({ ctx, body, headers }, { accounts: { signIn } }) =>
    signIn.checkPassword(
      ctx.db,
      body.email.toLowerCase(),
      body.password,
      toSignInContext(ctx, headers, 'login'),
    ),
  handle: async ({ ctx, headers, prepared: account }, { accounts: { signIn } }) =>
    presentSignIn(await signIn.begin(ctx.db, account, toSignInContext(ctx, headers, 'login'))),
});

export const refreshToken = defineOperation({
  ...publicAccess,
  id: 'refreshToken',
  method: 'POST',
  path: '/api/auth/refresh',
  body: RefreshRequest,
  responses: { 200: TokenResponse },
  errors: ['unauthenticated'],
  summary:
    'Exchange a refresh token for the next pair of tokens. Using the same token twice ends the session.',
  // Ends the session of a reused refresh token outside of the transaction, since the refusal of the request
  // rolls the transaction back.
  prepare: ({ ctx, body }, { accounts: { sessions } }) => sessions.endReused(ctx.db, body.refresh_token),
  handle: async ({ ctx, body }, { accounts: { sessions } }) =>
    presentTokens(await sessions.refresh(ctx.db, body.refresh_token)),
});

export const logout = defineOperation({
  ...ownAccess,
  id: 'logout',
  endsCaller: true,
  method: 'POST',
  path: '/api/auth/logout',
  responses: { 200: Message },
  summary: 'End this session and its refresh tokens.',
  handle: async ({ ctx, noteSubjects }, { accounts: { sessions } }) => {
    await sessions.end(ctx.db, ctx.userId, ctx.sessionId);
    noteSubjects([{ resourceType: 'session', resourceId: ctx.sessionId }]);
    return { message: 'You are signed out.' };
  },
});

export const switchOrg = defineOperation({
  ...ownAccess,
  id: 'switchOrg',
  method: 'POST',
  path: '/api/auth/switch-org',
  body: SwitchOrgRequest,
  responses: { 200: TokenResponse },
  errors: ['not_found'],
  summary:
    'Switch to another workspace, with the refresh token or within ten minutes of signing in; tokens for the previous workspace stay valid.',
  exposes: 'access',
  freshProof: {
    isNeeded: ({ refresh_token: shown }) => typeof shown !== 'string',
    where: 'unless the body contains the refresh token',
  },
  handle: async ({ ctx, body, noteSubjects }, { accounts: { accounts } }) => {
    const orgId = body.org_id.toLowerCase();
    const tokens = await accounts.switchOrg(ctx.db, ctx, orgId, body.refresh_token ?? null);
    noteSubjects([{ orgId, resourceType: 'session', resourceId: ctx.sessionId }]);
    return presentTokens(tokens);
  },
});

export const listSessions = defineOperation({
  ...ownAccess,
  id: 'listSessions',
  isLong: true,
  method: 'GET',
  path: '/api/auth/sessions',
  responses: { 200: Type.Array(SessionRead) },
  summary: 'Your active sessions, most recently used first.',
  handle: async ({ ctx }, { accounts: { sessions } }) =>
    (await sessions.list(ctx.db, ctx.userId)).map((session) => presentSession(session, ctx.sessionId)),
});

export const revokeSession = defineOperation({
  ...ownAccess,
  id: 'revokeSession',
  endsCaller: true,
  method: 'DELETE',
  path: '/api/auth/sessions/{session_id}',
  params: SessionParams,
  responses: { 200: Message },
  summary: 'End one of your sessions.',
  handle: async ({ ctx, params }, { accounts: { sessions } }) => {
    await sessions.end(ctx.db, ctx.userId, params.session_id);
    return { message: 'The session is ended.' };
  },
});

export const revokeOtherSessions = defineOperation({
  ...ownAccess,
  id: 'revokeOtherSessions',
  method: 'POST',
  path: '/api/auth/sessions/revoke-others',
  responses: { 200: Message },
  summary: 'End all your sessions except this one.',
  handle: async ({ ctx, noteSubjects }, { accounts: { sessions } }) => {
    const ended = await sessions.endAll(ctx.db, ctx.userId, ctx.sessionId);
    noteSubjects(ended.map((resourceId) => ({ resourceType: 'session', resourceId })));
    return { message: 'All other sessions are ended.' };
  },
});

export const requestOtp = defineOperation({
  ...publicAccess,
  id: 'requestOtp',
  method: 'POST',
  path: '/api/auth/otp/request',
  body: EmailOnlyRequest,
  responses: { 200: Message },
  summary:
    'Email a six-digit sign-in code. It works once, within 10 minutes by default. The response is the same for any address.',
  limits: mailLimit('code'),
  prepare: ({ ctx, body }, { accounts: { accountMail } }) =>
    accountMail.throttleRequest(ctx.db, body.email.toLowerCase(), ctx.ip, 'code'),
  handle: async ({ ctx, body }, { accounts: { accountMail } }) => {
    await accountMail.insertRequest(ctx.db, 'sign_in_code', body.email.toLowerCase());
    return { message: 'If there is an account for this address, a code is on its way.' };
  },
});

export const verifyOtp = defineOperation({
  ...publicAccess,
  id: 'verifyOtp',
  method: 'POST',
  path: '/api/auth/otp/verify',
  body: OtpVerifyRequest,
  responses: { 200: SignInResponse },
  errors: ['unauthenticated'],
  summary:
    'Sign in with the emailed code. Five wrong attempts invalidate the code. If a second factor is on, it is still required.',
  guesses: 'code',
  prepare: ({ ctx, body, headers }, { accounts: { signIn } }) =>
    signIn.checkCode(ctx.db, body.email.toLowerCase(), body.code, toSignInContext(ctx, headers, 'verifyOtp')),
  handle: async ({ ctx, body, headers, prepared: account }, { accounts: { signIn } }) =>
    presentSignIn(
      await signIn.signInWithCode(ctx.db, account, body.code, toSignInContext(ctx, headers, 'verifyOtp')),
    ),
});
