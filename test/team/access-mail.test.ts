import assert from 'node:assert/strict';
import { buildAccessMail, type NoticeContent } from '../../services/team/access-mail.ts';

const bots = { name: 'Bots', path: ['bots'], remedy: 'check the bot' };
const flows = { name: 'Flows', path: ['flows'], remedy: 'check the flow' };

function buildContent(overrides: Partial<NoticeContent> = {}): NoticeContent {
  return {
    subject: 'A bot was changed',
    orgId: 'org',
    orgName: 'Acme',
    items: ['“Help desk”, which calls https://model.example now.'],
    page: bots,
    actorId: null,
    actor: 'The API key “CI”',
    keyName: 'CI',
    place: '127.0.0.1',
    at: '2026-11-28T12:30:00.000Z',
    ...overrides,
  };
}

const listItems = (contents: readonly NoticeContent[]) =>
  buildAccessMail({ userId: 'owner', fullName: 'Ada' }, contents, { baseUrl: 'https://chat.example' })
    .items as string[];

describe('the email about several changes of access', () => {
  const flowChange = (count: number) =>
    buildContent({
      page: flows,
      items: Array.from({ length: count }, (_, at) => `It calls https://shop.example/${at}.`),
    });

  it('lists all items of its changes if they fit', () => {
    const items = listItems([buildContent(), flowChange(199)]);
    assert.equal(items.length, 200);
    assert.equal(items[0], '12:30 UTC: “Help desk”, which calls https://model.example now.');
    assert.equal(items.at(-1), '12:30 UTC: It calls https://shop.example/198.');
  });

  it('shortens changes with many items, and hides no change behind them', () => {
    const items = listItems([buildContent(), ...Array.from({ length: 3 }, () => flowChange(97))]);
    assert.equal(items.length, 1 + 3 * 66);
    assert.equal(items[0], '12:30 UTC: “Help desk”, which calls https://model.example now.');
    assert.equal(items[34], '12:30 UTC: (31 more) It calls https://shop.example/64.');
    assert.equal(items.at(-1), '12:30 UTC: It calls https://shop.example/96.');
  });

  it('shows changes of each page if there are too many of one page', () => {
    const items = listItems([buildContent(), ...Array.from({ length: 400 }, () => flowChange(2))]);
    assert.deepEqual(items.slice(0, 3), [
      '201 further changes, which the audit log lists.',
      '12:30 UTC: “Help desk”, which calls https://model.example now.',
      '12:30 UTC: (1 more) It calls https://shop.example/1.',
    ]);
    assert.equal(items.length, 201);
  });
});
