import assert from 'node:assert/strict';
import type { Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { responseTo, buildResources, callerOf, type Resources } from '../support/operation-calls.ts';
import { sharedParley, type ApiClient, type SharedParley } from '../support/parley.ts';

/** Links that are good for some minutes are made for the response alone. */
const LINKS = new Set(['getDocumentDownload', 'getArchiveDownload']);

/** What is read that was there before. */
const reads = operations.filter(
  ({ id, method, auth }) => method === 'GET' && (auth === 'member' || auth === 'session') && !LINKS.has(id),
);

/** What passes by itself. */
const VOLATILE = new Set(['waiting_seconds', 'last_used_at', 'last_login_at']);

describe('what is read in one workspace', () => {
  let parley: SharedParley;
  let mine: Resources;
  let alone: Map<string, unknown>;
  let foreign: Resources;
  before(async () => {
    parley = await sharedParley();
    mine = await buildResources(parley);
    alone = new Map();
    for (const operation of reads)
      alone.set(operation.id, await read(operation, callerOf(operation, mine, parley)));
    foreign = await buildResources(parley);
    // Somebody of both: what counts is the workspace that the credential is for.
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: foreign.orgId, userId: mine.userId, role: 'admin' });
  });

  async function read(operation: Operation, client: ApiClient): Promise<unknown> {
    const { status, body } = await responseTo(operation, client, mine.ids);
    assert.equal(status, 200, JSON.stringify(body));
    return typeof body === 'string' ? body : JSON.parse(JSON.stringify(body, withoutVolatile));
  }

  for (const operation of reads) {
    it(`by ${operation.id} is the same, totals too, whatever there is in another one`, async () => {
      const session = parley.client(mine.accessToken);
      for (const client of [callerOf(operation, mine, parley), session]) {
        const response = await read(operation, client);
        assert.deepEqual(response, alone.get(operation.id));
        for (const [name, id] of Object.entries({ ...foreign.ids, org_id: foreign.orgId }))
          if (mine.ids[name] !== id) assert.ok(!JSON.stringify(response).includes(id), name);
      }
    });
  }
});

function withoutVolatile(name: string, value: unknown): unknown {
  return VOLATILE.has(name) ? null : value;
}
