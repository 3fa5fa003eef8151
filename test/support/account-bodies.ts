import { generateSync } from 'otplib';
import { newId } from '../../core/ids.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { AccountLinkRepository } from '../../repositories/accounts/account-link.repository.ts';
import { SignInCodeRepository } from '../../repositories/accounts/sign-in-code.repository.ts';
import { buildPerson, PASSWORD, type TestPerson } from '../accounts/support.ts';
import type { SharedParley } from './parley.ts';

/**
 * Starts the set-up of a second factor for the person, and sets up an active one for a second member of the
 * workspace.
 */
export async function prepareSecondFactor(parley: SharedParley, { orgId, userId }: TestPerson) {
  const { database, runtime } = parley;
  const { mfa, secondFactor } = runtime.services.accounts;
  const generateCode = (secret: string, steps = 0) =>
    generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
  const pending = await mfa.setUp(database, userId);
  const other = await buildPerson(parley);
  const { secret } = await mfa.setUp(database, other.userId);
  await database.repository(Membership).insert({ id: newId(), orgId, userId: other.userId, role: 'member' });
  const { sessionId, accessToken } = await parley.signIn({ userId: other.userId, orgId });
  const person = { userId: other.userId, sessionId };
  await mfa.activate(database, person, generateCode(secret), await mfa.attempt(other.userId, ''));
  const account = await database.repository(User).findOneByOrFail({ id: other.userId });
  const code = generateCode(secret, 1);
  const bodies = {
    activateMfa: { code: generateCode(pending.secret, 1) },
    verifyMfa: { challenge_token: secondFactor.createChallenge(account), code },
    disableMfa: { password: PASSWORD, code },
    regenerateRecoveryCodes: { code },
  };
  return { accessToken, bodies };
}

/** Creates emailed links and codes for the person, and returns request bodies that use them, by operation id. */
export async function prepareAccountBodies(
  { database, runtime }: SharedParley,
  { email, orgId, userId }: TestPerson,
  refreshToken: string,
): Promise<Record<string, object>> {
  const [accountLinks, codes] = [new AccountLinkRepository(), new SignInCodeRepository()];
  const [verifyToken, resetToken] = [newId(), newId()];
  const links = { verify_email: verifyToken, reset_password: resetToken } as const;
  for (const purpose of ['verify_email', 'reset_password'] as const) {
    const digest = digestSecret(links[purpose]);
    await accountLinks.insert(database, { digest, userId, purpose, lifetimeSeconds: 600 });
  }
  const code = '123456';
  await codes.upsert(database, email, runtime.keyring.digest('sign-in-code', `${email} ${code}`), 600);
  const password = PASSWORD;
  const newPassword = 'four green lamps at dusk';
  return {
    register: { email: `new-${email}`, password, full_name: 'Grace Hopper' },
    login: { email, password },
    refreshToken: { refresh_token: refreshToken },
    switchOrg: { org_id: orgId },
    updateMe: { full_name: 'Ada King', default_org_id: orgId },
    deleteMe: { password },
    changePassword: { current_password: password, new_password: newPassword },
    forgotPassword: { email },
    resetPassword: { token: resetToken, new_password: newPassword },
    verifyEmail: { token: verifyToken },
    resendVerification: { email },
    requestOtp: { email },
    verifyOtp: { email, code },
  };
}

/** Adds the owner of a new installation whose account is not set up yet; returns the request body that sets it up. */
export async function prepareFirstRun(parley: SharedParley): Promise<object> {
  const [{ userId }, token] = [await parley.buildOrg(), newId()];
  const digest = digestSecret(token);
  const link = { digest, userId, purpose: 'first_run', lifetimeSeconds: 600 } as const;
  await new AccountLinkRepository().insert(parley.database, link);
  const email = `first-${userId}@example.com`;
  return { token, full_name: 'Grace Hopper', email, password: PASSWORD, workspace_name: 'Acme' };
}
