import assert from 'node:assert/strict';
import { Type } from '@sinclair/typebox';
import { defineOperation, replyWith } from '../../api/http/operation.ts';
import { Nullable } from '../../api/http/schemas/schemas.ts';
import { readEvents } from '../support/event-stream.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { recordLog, type RecordedLog } from '../support/recorded-log.ts';
import { serveOperations } from '../support/serve-operations.ts';

const publicAccess = { method: 'GET', tag: 'meta', auth: 'public', scope: null, role: null } as const;

const Person = Type.Object({ name: Type.String() });
const Team = Type.Object({
  name: Type.String(),
  lead: Nullable(Person),
  members: Type.Array(Person),
  contact: Type.Union([Type.Object({ email: Type.String() }), Type.Null()]),
});

const buildPerson = (name: string) => ({ name, password_hash: 'leaked' });
const team = {
  name: 'Support',
  internal_note: 'leaked',
  lead: buildPerson('Ada'),
  members: [buildPerson('Grace'), buildPerson('Alan')],
  contact: { email: 'support@example.com', token: 'leaked' },
};

const getTeam = defineOperation({
  ...publicAccess,
  id: 'getTeam',
  path: '/team',
  responses: { 200: Team },
  summary: 'A team.',
  handle: async () => team,
});

const listTeams = defineOperation({
  ...publicAccess,
  id: 'listTeams',
  path: '/teams',
  responses: { 200: Type.Array(Team) },
  isLarge: true,
  summary: 'Thousands of teams.',
  handle: async () => [team, team],
});

const watchTeam = defineOperation({
  ...publicAccess,
  id: 'watchTeam',
  path: '/team/events',
  responses: {
    200: {
      description: 'What happens to the team.',
      content: {
        'text/event-stream': Type.Union([
          Type.Object({ person: Person }, { title: 'joined' }),
          Type.Object({ team: Team }, { title: 'done' }),
        ]),
      },
    },
  },
  summary: 'Events of a team.',
  handle: async () =>
    replyWith.stream(
      (async function* () {
        yield { event: 'joined', data: { person: buildPerson('Ada'), secret: 'leaked' } };
        yield { event: 'done', data: { team } };
        yield { event: 'undeclared', data: { secret: 'leaked' } };
      })(),
    ),
});

describe('responses', () => {
  let parley: SharedParley;
  let recorded: RecordedLog;
  let server: Awaited<ReturnType<typeof serveOperations>>;
  before(async () => {
    parley = await startSharedParley();
    recorded = recordLog();
    const settings = { ...parley.runtime.settings, checkResponses: false };
    const runtime = { ...parley.runtime, settings, log: recorded.log };
    server = await serveOperations([getTeam, listTeams, watchTeam], runtime);
  });
  after(async () => {
    await server.close(100);
  });

  const declared = {
    name: 'Support',
    lead: { name: 'Ada' },
    members: [{ name: 'Grace' }, { name: 'Alan' }],
    contact: { email: 'support@example.com' },
  };

  it('omit undeclared fields at any depth', async () => {
    const response = await fetch(`${server.baseUrl}/team`);
    const text = await response.text();
    assert.equal(response.status, 200);
    assert.ok(!text.includes('leaked'), text);
    assert.deepEqual(JSON.parse(text), declared);
  });

  it('omit undeclared fields even if they are large', async () => {
    const response = await fetch(`${server.baseUrl}/teams`);
    assert.deepEqual([response.status, await response.json()], [200, [declared, declared]]);
  });

  it('omit undeclared fields in stream events, and end before an undeclared event', async () => {
    const response = await fetch(`${server.baseUrl}/team/events`);
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.deepEqual(await readEvents(response), [
      { id: undefined, event: 'joined', data: { person: { name: 'Ada' } } },
      { id: undefined, event: 'done', data: { team: declared } },
    ]);
    const failure = recorded.entries().find(({ msg }) => msg === 'event stream failed');
    assert.match(failure?.err?.message ?? '', /the event undeclared, which it does not declare/);
  });
});
