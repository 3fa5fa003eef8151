import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Keyring } from '../../adapters/keys/keyring.ts';
import { AppError } from '../../core/errors/errors.ts';
import { UndecryptableValue } from '../../core/errors/undecryptable-value.ts';
import { CapturedMails, type CapturedMailsDeps } from '../../services/mail/captured-mails.ts';
import type { Database } from '../../database/database.ts';

const buildKeyring = () => new Keyring(randomBytes(32).toString('base64'));

describe('CapturedMails.list', () => {
  /** Lists a captured email whose content cannot be read because of this error. */
  const listWith = (error: Error) => {
    const mails = { listCaptured: async () => [{ id: 'mail' }], open: async () => Promise.reject(error) };
    const deps = { mails, keyring: buildKeyring() } as unknown as CapturedMailsDeps;
    return new CapturedMails(deps).list({} as Database);
  };

  for (const error of [new UndecryptableValue('changed'), new AppError('key_unavailable', 'No key.')])
    it(`omits an email that cannot be decrypted: ${error.message}`, async () => {
      assert.deepEqual(await listWith(error), []);
    });

  it('throws an error of the database', async () => {
    await assert.rejects(listWith(new Error('The connection broke.')), { message: 'The connection broke.' });
  });
});
