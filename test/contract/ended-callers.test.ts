import assert from 'node:assert/strict';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { buildPerson, PASSWORD } from '../accounts/support.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { readSnapshot } from '../support/snapshot.ts';
import { buildChild, buildMember } from '../team/support.ts';

/** A write request that ends its own caller’s access. */
interface Write {
  method: string;
  path: string;
  body?: object;
  token: string;
  /** Expected outcome of the caller’s next request, after its access has ended. */
  lost: string;
}

/** Valid request bodies that differ from those of the writes, to repeat an idempotency key with another body. */
const OTHERS: Record<string, object> = {
  deleteMe: { password: `${PASSWORD}!` },
  updateOrg: { name: 'Other' },
  setMemberRole: { role: 'member' },
  transferOwnership: { membership_id: newId(), password: PASSWORD },
};

describe('a write that ends its caller’s access', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
  });
  after(() => parley.stop());

  /** Returns the access token of a new session. */
  const signInForToken = async (person: { userId: string; orgId?: string }) =>
    (await parley.signIn(person)).accessToken;

  /** Functions that build write requests, by operation and variant. Each test builds its own request. */
  const writes: Record<string, Record<string, () => Promise<Write>>> = {
    logout: {
      'ends the session': async () => {
        const person = await buildPerson(parley);
        return {
          method: 'POST',
          path: '/api/auth/logout',
          token: await signInForToken(person),
          lost: '401 unauthenticated',
        };
      },
    },
    revokeSession: {
      'ends the calling session': async () => {
        const person = await buildPerson(parley);
        const { accessToken, sessionId } = await parley.signIn(person);
        return {
          method: 'DELETE',
          path: `/api/auth/sessions/${sessionId}`,
          token: accessToken,
          lost: '401 unauthenticated',
        };
      },
    },
    deleteMe: {
      'closes the account': async () => {
        const person = await buildPerson(parley);
        await parley.buildOrg({ orgId: person.orgId, role: 'owner' });
        return {
          method: 'POST',
          path: '/api/auth/me/delete',
          body: { password: PASSWORD },
          token: await signInForToken(person),
          lost: '401 unauthenticated',
        };
      },
    },
    deleteOrg: {
      'deletes the only workspace': async () => {
        const person = await buildPerson(parley);
        return {
          method: 'DELETE',
          path: `/api/orgs/${person.orgId}`,
          token: await signInForToken(person),
          lost: '401 unauthenticated',
        };
      },
      'deletes a child workspace': async () => {
        const person = await buildPerson(parley);
        const child = await buildChild(person.client, person.orgId);
        return {
          method: 'DELETE',
          path: `/api/orgs/${child.id}`,
          token: await signInForToken(person),
          lost: '404 not_found',
        };
      },
    },
    updateOrg: {
      'disables the workspace of the calling key': async () => {
        const { orgId, key } = await parley.buildOrg({ role: 'owner' });
        return {
          method: 'PATCH',
          path: `/api/orgs/${orgId}`,
          body: { is_active: false },
          token: key,
          lost: '401 unauthenticated',
        };
      },
    },
    setMemberRole: {
      'demotes the calling admin': async () => {
        const owner = await buildMember(parley, 'owner');
        const admin = await buildMember(parley, 'admin', owner.orgId);
        return {
          method: 'PUT',
          path: `${admin.path}/role`,
          body: { role: 'viewer' },
          token: await signInForToken(admin),
          lost: '403 forbidden',
        };
      },
    },
    removeMember: {
      'leaves the workspace': async () => {
        const owner = await buildMember(parley, 'owner');
        const member = await buildMember(parley, 'member', owner.orgId);
        return {
          method: 'DELETE',
          path: member.path,
          token: await signInForToken(member),
          lost: '401 unauthenticated',
        };
      },
      'leaves another workspace': async () => {
        const owner = await buildMember(parley, 'owner');
        const person = await buildPerson(parley);
        const id = newId();
        await parley.database
          .repository(Membership)
          .insert({ id, orgId: owner.orgId, userId: person.userId, role: 'member' });
        return {
          method: 'DELETE',
          path: `/api/orgs/${owner.orgId}/members/${id}`,
          token: await signInForToken(person),
          lost: '403 forbidden',
        };
      },
    },
    transferOwnership: {
      'makes the caller an admin': async () => {
        const owner = await buildPerson(parley);
        const heir = await buildMember(parley, 'member', owner.orgId);
        return {
          method: 'POST',
          path: `/api/orgs/${owner.orgId}/transfer-ownership`,
          body: { membership_id: heir.membershipId, password: PASSWORD },
          token: await signInForToken(owner),
          lost: '403 forbidden',
        };
      },
    },
  };

  async function send(
    { method, path, body, token }: Omit<Write, 'lost'>,
    key?: string,
    process: TestProcess = parley,
  ) {
    const response = await process.client(token).fetch(path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      outcome: formatOutcome({ status: response.status, body: JSON.parse(text) }),
      text,
      isReplay: response.headers.get('idempotent-replay') === 'true',
      limit: response.headers.get('ratelimit-limit'),
    };
  }

  it('is declared with endsCaller if and only if this file tests it', () => {
    const declared = operations.filter(({ endsCaller }) => endsCaller).map(({ id }) => id);
    assert.deepEqual(Object.keys(writes).toSorted(), declared.toSorted());
  });

  for (const [id, variants] of Object.entries(writes))
    for (const [what, build] of Object.entries(variants))
      describe(`(${id} ${what})`, () => {
        let write: Write;
        let key: string;
        let first: Awaited<ReturnType<typeof send>>;
        beforeEach(async () => {
          [write, key] = [await build(), newId()];
          first = await send(write, key);
          assert.match(first.outcome, /^20/, first.text);
          assert.equal(first.isReplay, false);
        });

        it('repeats its response for the same key, even at another process', async () => {
          const untouched = await readSnapshot(parley.database);
          const second = await parley.startAnother();
          for (const process of [parley, second]) {
            const again = await send(write, key, process);
            assert.deepEqual({ ...again, limit: null }, { ...first, isReplay: true, limit: null });
            assert.notEqual(again.limit, null);
          }
          assert.deepEqual(await readSnapshot(parley.database), untouched);
        });

        it('takes effect once if four identical calls arrive at once', async () => {
          const [other, otherKey] = [await build(), newId()];
          const responses = await Promise.all(Array.from({ length: 4 }, () => send(other, otherKey)));
          const succeeded = responses.filter(({ outcome }) => outcome.startsWith('20'));
          assert.equal(succeeded.filter(({ isReplay }) => !isReplay).length, 1);
          assert.equal(new Set(succeeded.map(({ text }) => text)).size, 1);
          for (const { outcome } of responses.filter((each) => !succeeded.includes(each)))
            assert.equal(outcome, '409 idempotency_in_progress');
        });

        it('repeats its response only for the same request with the same credential', async () => {
          const stranger = await buildPerson(parley);
          const others: (readonly [string, Omit<Write, 'lost'>, string | undefined])[] = [
            ['without a key', write, undefined],
            ['with another key', write, newId()],
            ['with another query', { ...write, path: `${write.path}?a=1` }, key],
            ...(write.body ? [['with another body', { ...write, body: OTHERS[id]! }, key] as const] : []),
            ['of a forged token', { ...write, token: `${write.token}A` }, key],
          ];
          for (const [name, request, named] of others)
            assert.deepEqual(
              [name, (await send(request, named)).outcome],
              [name, name === 'of a forged token' ? '401 unauthenticated' : write.lost],
            );
          for (const token of [stranger.key, await signInForToken(stranger)]) {
            const { isReplay } = await send({ ...write, token }, key);
            assert.equal(isReplay, false);
          }
        });
      });

  it('(updateOrg) repeats its response for 24 hours', async () => {
    // Use the API key's caller: an access token would expire before the stored response.
    const write = await writes['updateOrg']!['disables the workspace of the calling key']!();
    const key = newId();
    assert.equal((await send(write, key)).outcome, '200');
    await parley.passTime(24 * 60 * 60 - 60);
    assert.equal((await send(write, key)).isReplay, true);
    await parley.passTime(120);
    assert.equal((await send(write, key)).outcome, write.lost);
  });

  it('does not repeat its response if another write revoked the caller’s access', async () => {
    const owner = await buildMember(parley, 'owner');
    const admin = await buildMember(parley, 'admin', owner.orgId);
    const other = await buildMember(parley, 'member', owner.orgId);
    const write = { method: 'PUT', path: `${other.path}/role`, body: { role: 'viewer' } };
    for (const token of [await signInForToken(admin), admin.key]) {
      const key = newId();
      assert.equal((await send({ ...write, token }, key)).outcome, '200');
      assert.equal((await send({ ...write, token }, key)).isReplay, true);
    }
    const key = newId();
    const token = await signInForToken(admin);
    assert.equal((await send({ ...write, token }, key)).outcome, '200');
    await owner.session.put(`${admin.path}/role`, { role: 'viewer' });
    assert.equal((await send({ ...write, token }, key)).outcome, '403 forbidden');
    await owner.session.delete(admin.path);
    assert.equal((await send({ ...write, token }, key)).outcome, '401 unauthenticated');
  });

  it('repeats its response to another session of the same user, but not to a colleague', async () => {
    const owner = await buildPerson(parley);
    const heir = await buildMember(parley, 'member', owner.orgId);
    const [first, second] = [await signInForToken(owner), await signInForToken(owner)];
    const write = {
      method: 'POST',
      path: `/api/orgs/${owner.orgId}/transfer-ownership`,
      body: { membership_id: heir.membershipId, password: PASSWORD },
    };
    const key = newId();
    assert.equal((await send({ ...write, token: first }, key)).outcome, '200');
    assert.equal((await send({ ...write, token: second }, key)).isReplay, true);
    const colleague = await buildMember(parley, 'admin', owner.orgId);
    const theirs = await send({ ...write, token: await signInForToken(colleague) }, key);
    assert.deepEqual([theirs.outcome, theirs.isReplay], ['403 forbidden', false]);
  });
});
