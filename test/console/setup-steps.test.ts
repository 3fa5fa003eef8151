import assert from 'node:assert/strict';
import { listSetupSteps, type SetupFacts } from '../../console/home/setup-steps.ts';

const ORIGIN = 'https://parley.example';
const BOT = { id: '01a2', status: 'draft', indexed_chunk_count: 0 } as const;

function buildFacts(overrides: Partial<SetupFacts> = {}): SetupFacts {
  return {
    bots: [],
    conversations: [],
    memberCount: 1,
    invitationCount: 0,
    hasTested: false,
    origin: ORIGIN,
    ...overrides,
  };
}

const listDone = (overrides: Partial<SetupFacts>): string[] =>
  listSetupSteps(buildFacts(overrides)).flatMap(({ id, isDone }) => (isDone ? [id] : []));

describe('listSetupSteps', () => {
  const cases: [string, Partial<SetupFacts>, string[]][] = [
    ['an empty workspace', {}, []],
    ['a draft', { bots: [BOT] }, ['bot']],
    ['an archived bot only', { bots: [{ ...BOT, status: 'archived' }] }, []],
    ['a bot with passages', { bots: [{ ...BOT, indexed_chunk_count: 4 }] }, ['bot', 'knowledge']],
    ['a test in this browser', { bots: [BOT], hasTested: true }, ['bot', 'test']],
    ['a visitor on the demo page', { bots: [BOT], conversations: [{ page_url: `${ORIGIN}/demo` }] }, ['bot']],
    ['a visitor without a page', { bots: [BOT], conversations: [{ page_url: null }] }, ['bot']],
    ['a second member', { memberCount: 2 }, ['invite']],
    ['a pending invitation', { invitationCount: 1 }, ['invite']],
    [
      'a visitor on a page of the workspace',
      { bots: [BOT], conversations: [{ page_url: 'https://shop.example/' }] },
      ['bot', 'test', 'embed'],
    ],
  ];
  for (const [title, overrides, done] of cases)
    it(`marks ${done.join(', ') || 'nothing'} as done for ${title}`, () =>
      assert.deepEqual(listDone(overrides), done));

  it('links to the active bot if there are several', () => {
    const bots = [BOT, { ...BOT, id: '01b3', status: 'active' as const }];
    const [, knowledge] = listSetupSteps(buildFacts({ bots }));
    assert.equal(knowledge?.segments?.join('/'), 'bots/01b3/documents');
  });

  it('offers the steps that need a bot only once a bot exists', () => {
    const offered = listSetupSteps(buildFacts()).filter(({ segments }) => segments !== null);
    assert.deepEqual(
      offered.map(({ id }) => id),
      ['bot', 'invite'],
    );
  });
});
