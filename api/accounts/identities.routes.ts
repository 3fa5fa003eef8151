import { Type } from '@sinclair/typebox';
import { accountNotices } from '../../services/accounts/account-notices.ts';
import { accessWords } from '../../services/team/access-words.ts';
import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import { toSignInContext } from './sign-in-context.ts';
import { presentSignIn } from './auth.presenter.ts';
import { SignInResponse } from './auth.schemas.ts';
import {
  presentIdentity,
  presentIdentityStart,
  toEnteredAddress,
  toIdentityReturn,
} from './identities.presenter.ts';
import {
  IdentityCallbackRequest,
  IdentityParams,
  IdentityRead,
  IdentityStartResponse,
} from './identities.schemas.ts';

const publicAccess = { tag: 'auth', auth: 'public', scope: null, role: null } as const;
const ownAccess = { tag: 'auth', auth: 'account', scope: null, role: null } as const;

export const listIdentities = defineOperation({
  ...ownAccess,
  id: 'listIdentities',
  method: 'GET',
  path: '/api/auth/identities',
  responses: { 200: Type.Array(IdentityRead) },
  summary: 'Identity providers that are linked to your account.',
  handle: async ({ ctx }, { accounts: { identities } }) =>
    (await identities.list(ctx.db, ctx.userId)).map(presentIdentity),
});

export const unlinkIdentity = defineOperation({
  ...ownAccess,
  id: 'unlinkIdentity',
  method: 'DELETE',
  path: '/api/auth/identities/{provider}',
  params: IdentityParams,
  responses: { 200: Message },
  errors: ['not_found', 'last_sign_in_method'],
  summary: 'Unlink an identity provider. Fails if it is the only way to sign in to your account.',
  exposes: 'access',
  freshProof: true,
  notifies: ({ params: { provider } }) =>
    accessWords.identityUnlinked(provider, accountNotices.identityUnlinked(provider)),
  handle: async ({ ctx, params }, { accounts: { identities } }) => {
    await identities.unlink(ctx.db, ctx.userId, params.provider);
    return { message: `${params.provider} is no longer linked to your account.` };
  },
});

export const startIdentity = defineOperation({
  ...publicAccess,
  id: 'startIdentity',
  method: 'POST',
  path: '/api/auth/identities/{provider}/start',
  params: IdentityParams,
  responses: { 200: IdentityStartResponse },
  errors: ['not_found'],
  summary: 'Start signing in with an identity provider, or linking one to your account.',
  prepare: ({ params }, { accounts: { identities } }) => identities.begin(params.provider),
  handle: async ({ ctx, prepared: start }, { accounts: { identities } }) => {
    await identities.insertAttempt(ctx.db, start);
    return presentIdentityStart(start);
  },
});

export const finishIdentity = defineOperation({
  ...publicAccess,
  id: 'finishIdentity',
  method: 'POST',
  path: '/api/auth/identities/{provider}/callback',
  params: IdentityParams,
  body: IdentityCallbackRequest,
  responses: { 200: SignInResponse },
  errors: ['not_found', 'conflict', 'unauthenticated', 'forbidden'],
  summary:
    'Sign in to the account that the identity is linked to, or create an account. A matching email address alone never links an identity.',
  guesses: 'provider',
  prepare: async ({ ctx, params, body }, { accounts: { identities } }) => {
    const identity = await identities.redeem(ctx.db, params.provider, toIdentityReturn(body));
    return identities.confirmAddress(ctx.db, identity, toEnteredAddress(body));
  },
  handle: async ({ ctx, headers, prepared: identity }, { accounts: { identities } }) =>
    presentSignIn(await identities.signIn(ctx.db, identity, toSignInContext(ctx, headers, 'finishIdentity'))),
});

export const linkIdentity = defineOperation({
  ...ownAccess,
  id: 'linkIdentity',
  method: 'POST',
  path: '/api/auth/identities/{provider}/link',
  params: IdentityParams,
  body: IdentityCallbackRequest,
  responses: { 201: IdentityRead },
  errors: ['not_found', 'conflict'],
  summary: 'Link an identity provider to your account.',
  exposes: 'access',
  freshProof: true,
  notifies: ({ params: { provider } }) =>
    accessWords.identityLinked(provider, accountNotices.identityLinked(provider)),
  guesses: 'provider',
  prepare: ({ ctx, params, body }, { accounts: { identities } }) =>
    identities.redeem(ctx.db, params.provider, toIdentityReturn(body)),
  handle: async ({ ctx, prepared: identity }, { accounts: { identities } }) =>
    presentIdentity(await identities.link(ctx.db, ctx.userId, identity)),
});
