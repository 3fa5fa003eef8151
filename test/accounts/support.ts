import assert from 'node:assert/strict';
import { hashSync } from '@node-rs/argon2';
import { IsNull, Not } from 'typeorm';
import { decryptMail, type MailContent } from '../../services/mail/mail-content.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { AccountRequest } from '../../entities/accounts/account-request.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import type { ApiClient, TestOrg, SharedParley } from '../support/parley.ts';
import { findOpened } from '../support/find-opened.ts';

export const PASSWORD = 'three blue lamps at noon';

/** A password hash with low cost parameters, so that tests verify the password quickly. */
const PASSWORD_HASH = hashSync(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });

export interface TestPerson extends TestOrg {
  email: string;
}

/** Builds a person with a password and a separate workspace. */
export async function buildPerson(parley: SharedParley): Promise<TestPerson> {
  return givePassword(parley, await parley.buildOrg());
}

/** Lets the owner of a workspace sign in with a password. */
export async function givePassword<T extends TestOrg>(parley: SharedParley, org: T): Promise<T & TestPerson> {
  await parley.database
    .repository(User)
    .update(org.userId, { passwordHash: PASSWORD_HASH, emailVerifiedAt: new Date() });
  return { ...org, email: `${org.userId}@example.com` };
}

/** Sends the emails that accounts have requested and that wait in the queue, as a worker does. */
export async function answerRequests({ database, runtime }: SharedParley): Promise<void> {
  for (const { id } of await database.repository(AccountRequest).find({ order: { id: 'ASC' } }))
    await runtime.services.accounts.accountMail.sendRequested(database, id);
}

/**
 * Returns the unsent emails to an address, oldest first. Leaves out emails of other tests on the same
 * database: once sent, they have no content.
 */
export async function readMailsTo({ database, runtime }: SharedParley, email: string) {
  const where = { content: Not(IsNull()) };
  const rows = await findOpened(database, MailRow, { where, order: { id: 'ASC' } });
  const mails: (MailContent & { template: string })[] = [];
  for (const { id, template, content } of rows) {
    const mail = decryptMail(runtime.keyring, id, content!);
    if (mail.to === email) mails.push({ ...mail, template });
  }
  return mails;
}

/** Returns the token in the latest emailed link. */
export async function readMailedToken(parley: SharedParley, email: string): Promise<string> {
  const mail = (await readMailsTo(parley, email)).findLast(({ values }) => values['link'] !== undefined);
  const token = new URL(mail!.values['link']!).hash.replace('#token=', '');
  assert.ok(token.length >= 16);
  return token;
}

export async function readMailedCode(parley: SharedParley, email: string): Promise<string> {
  const mail = (await readMailsTo(parley, email)).findLast(({ template }) => template === 'sign_in_code');
  return mail!.values['code']!;
}

export async function signInWith(client: ApiClient, email: string, password = PASSWORD) {
  const { status, body } = await client.post('/api/auth/login', { email, password });
  assert.equal(status, 200, JSON.stringify(body));
  return body as { access_token: string; refresh_token: string; org_id: string | null };
}

export const NEW_PASSWORD = 'four green lamps at dusk';

/**
 * Builds functions with which people without a session call operations on accounts.
 * @param getParley returns the Parley once it runs
 */
export function buildAccountCalls(getParley: () => SharedParley) {
  const post = <const P extends string>(path: P, body: object, token?: string) =>
    getParley().client(token).post(path, body);
  return {
    post,
    login: (email: string, password: string) => post('/api/auth/login', { email, password }),
    register: (email: string, changes: object = {}) =>
      post('/api/auth/register', { email, password: NEW_PASSWORD, full_name: 'Grace Hopper', ...changes }),
  };
}
