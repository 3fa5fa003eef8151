import assert from 'node:assert/strict';
import { generateApiKey } from '../../adapters/keys/api-key.ts';
import type { Operation } from '../../api/http/operation.ts';
import { grants, scopes as allScopes } from '../../api/http/scopes.ts';
import { operations } from '../../api/registry.ts';
import { ApiKey } from '../../entities/api-key.entity.ts';
import { Membership, orgRoles } from '../../entities/membership.entity.ts';
import { pathOf, requestOf } from '../support/operation-calls.ts';
import { startParley, type ApiAnswer, type TestParley } from '../support/parley.ts';

const withKey = operations.filter(({ auth }) => auth === 'key');

describe('access to the operations', () => {
  let parley: TestParley;
  const badKeys = new Map<string, string | undefined>();
  before(async () => {
    parley = await startParley();
    const valid = await parley.buildOrg();
    const lastCharacter = valid.key.endsWith('0') ? '1' : '0';
    badKeys.set('none', undefined);
    badKeys.set('malformed', 'parley_live_short');
    badKeys.set('with a wrong checksum', valid.key.slice(0, -1) + lastCharacter);
    badKeys.set('unknown', generateApiKey());
    badKeys.set('revoked', await keyWith({ revokedAt: new Date() }));
    badKeys.set('expired', await keyWith({ expiresAt: new Date(Date.now() - 1000) }));
    badKeys.set('of a removed member', await keyOfRemovedMember());
  });
  after(() => parley.stop());

  async function keyWith(state: Partial<Pick<ApiKey, 'revokedAt' | 'expiresAt'>>): Promise<string> {
    const { key, orgId } = await parley.buildOrg();
    await parley.database.repository(ApiKey).update({ orgId }, state);
    return key;
  }

  async function keyOfRemovedMember(): Promise<string> {
    const { key, orgId } = await parley.buildOrg();
    await parley.database.repository(Membership).delete({ orgId });
    return key;
  }

  async function call(operation: Operation, token?: string): Promise<ApiAnswer> {
    const response = await parley.client(token).fetch(pathOf(operation), requestOf(operation));
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  for (const operation of withKey) {
    it(`${operation.id} answers 401 to every kind of bad key`, async () => {
      for (const [kind, key] of badKeys) {
        const { status, body, headers } = await call(operation, key);
        assert.equal(`${kind}: ${status} ${body.error.code}`, `${kind}: 401 unauthenticated`);
        assert.match(headers.get('www-authenticate') ?? '', /^Bearer/);
        assert.ok(headers.get('ratelimit-remaining'));
      }
    });

    it(`${operation.id} answers 403 without ${operation.scope}`, async () => {
      const scope = operation.scope!;
      const { key } = await parley.buildOrg({ scopes: allScopes.filter((each) => !grants([each], scope)) });
      const { status, body } = await call(operation, key);
      assert.equal(`${status} ${body.error.code}`, '403 forbidden');
      assert.ok(body.error.message.includes(scope), body.error.message);
    });

    for (const tooLow of orgRoles.slice(orgRoles.indexOf(operation.role!) + 1)) {
      it(`${operation.id} answers 403 to the role ${tooLow}`, async () => {
        const { key } = await parley.buildOrg({ role: tooLow });
        const { status, body } = await call(operation, key);
        assert.equal(`${status} ${body.error.code}`, '403 forbidden');
        assert.ok(body.error.message.includes(operation.role!), body.error.message);
      });
    }
  }

  for (const operation of operations.filter(({ auth }) => auth === 'visitor')) {
    it(`${operation.id} answers 401 without a visitor’s token, and to an API key`, async () => {
      const { key } = await parley.buildOrg();
      for (const token of [undefined, 'x', key]) {
        const { status, body } = await call(operation, token);
        assert.equal(`${status} ${body.error.code}`, '401 unauthenticated');
      }
    });
  }
});
