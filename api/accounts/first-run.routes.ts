import type { FirstOwner } from '../../services/accounts/first-run-service.ts';
import { defineOperation } from '../http/operation.ts';
import { presentTokens } from './auth.presenter.ts';
import { TokenResponse } from './auth.schemas.ts';
import { FirstRunRead, FirstRunRequest } from './first-run.schemas.ts';
import { toSignInContext } from './sign-in-context.ts';

const publicAccess = {
  tag: 'auth',
  auth: 'public',
  scope: null,
  role: null,
  path: '/api/ext/first-run',
} as const;

export const getFirstRun = defineOperation({
  ...publicAccess,
  id: 'getFirstRun',
  method: 'GET',
  responses: { 200: FirstRunRead },
  summary: 'Whether the first owner of this installation has yet to be set up.',
  handle: async ({ ctx }, { accounts: { firstRun } }) => ({ is_open: await firstRun.canSetUpOwner(ctx.db) }),
});

export const completeFirstRun = defineOperation({
  ...publicAccess,
  id: 'completeFirstRun',
  method: 'POST',
  body: FirstRunRequest,
  responses: { 200: TokenResponse },
  errors: ['conflict'],
  summary: 'Set up the first owner and the workspace, and sign in. The link works once, within seven days.',
  explanation:
    'The link stops working when the owner signs in or sets a password in another way. API keys do not affect the link.',
  guesses: 'link',
  prepare: ({ ctx, body }, { accounts: { firstRun } }) =>
    firstRun.prepare(ctx.db, readFirstRun(body), body.password),
  handle: async ({ ctx, body, headers, prepared: passwordHash }, { accounts: { firstRun } }) =>
    presentTokens(
      await firstRun.complete(
        ctx.db,
        readFirstRun(body),
        passwordHash,
        toSignInContext(ctx, headers, 'completeFirstRun'),
      ),
    ),
});

function readFirstRun({ token, full_name, email, workspace_name }: FirstRunRequest): FirstOwner {
  return { token, fullName: full_name, email: email.toLowerCase(), workspaceName: workspace_name };
}
