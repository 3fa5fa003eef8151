import assert from 'node:assert/strict';
import type { Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { callOperation, buildResources, createCaller, type Resources } from '../support/operation-calls.ts';
import { startSharedParley, type ApiClient, type SharedParley } from '../support/parley.ts';

/** Operations that return a new link with each response; the links expire within minutes. */
const LINKS = new Set(['getDocumentDownload', 'getArchiveDownload']);

/** Operation whose result each request changes: it returns the request log. */
const CHANGING = 'listRequests';

/** Operations with which members read stored data. */
const reads = operations.filter(
  ({ id, method, auth }) =>
    method === 'GET' && (auth === 'member' || auth === 'session') && !LINKS.has(id) && id !== CHANGING,
);

/** Response fields that change by themselves over time. */
const VOLATILE = new Set(['waiting_seconds', 'last_used_at', 'last_login_at']);

describe('the data of one workspace', () => {
  let parley: SharedParley;
  let mine: Resources;
  let alone: Map<string, unknown>;
  let foreign: Resources;
  before(async () => {
    parley = await startSharedParley();
    mine = await buildResources(parley);
    alone = new Map();
    for (const operation of reads)
      alone.set(operation.id, await readResult(operation, createCaller(operation, mine, parley)));
    foreign = await buildResources(parley);
    // Make the user a member of both workspaces: only the workspace of the credential may count.
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: foreign.orgId, userId: mine.userId, role: 'admin' });
  });

  async function readResult(operation: Operation, client: ApiClient): Promise<unknown> {
    const { status, body } = await callOperation(operation, client, mine.ids);
    assert.equal(status, 200, JSON.stringify(body));
    return typeof body === 'string' ? body : JSON.parse(JSON.stringify(body, withoutVolatile));
  }

  for (const operation of reads) {
    it(`returned by ${operation.id}, with its totals, does not depend on other workspaces`, async () => {
      const session = parley.client(mine.accessToken);
      for (const client of [createCaller(operation, mine, parley), session]) {
        const response = await readResult(operation, client);
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
