import assert from 'node:assert/strict';
import { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import { Contact } from '../../../entities/contacts/contact.entity.ts';
import { newId } from '../../../core/ids.ts';
import { assertLoopBlockedBelow } from '../../support/loop-meter.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { buildActiveBot } from '../../support/widget.ts';

/** Longest time in milliseconds that one list may block the event loop. */
const MAX_BLOCKED_MS = 35;
const ROWS = 100;

/** Builds fields of this size as JSON, as many small values. */
function buildFields(bytes: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: bytes / 100 }, (_, at) => [`field ${at}`, 'é"'.repeat(28)]));
}

describe('a list of the largest rows that callers can write', () => {
  let parley: SharedParley;
  let org: Awaited<ReturnType<typeof buildActiveBot>>;
  before(async () => {
    parley = await startSharedParley();
    org = await buildActiveBot(parley);
    const shared = { orgId: org.orgId, botId: org.bot.id };
    for (let row = 0; row < ROWS; row += 1) {
      await parley.database.repository(Contact).insert({
        ...shared,
        id: newId(),
        visitorId: newId(),
        browserId: newId(),
        firstSeenAt: new Date(),
        customFields: buildFields(18_000),
        tags: Array.from({ length: 200 }, (_, at) => `${at} ${'t'.repeat(90)}`),
      });
      await parley.database.repository(Conversation).insert({
        ...shared,
        id: newId(),
        visitorId: newId(),
        browserId: newId(),
        lastMessageAt: new Date(),
        messageCount: 1,
        customFields: buildFields(18_000),
        leadDetails: { fields: buildFields(62_000), custom_fields: buildFields(62_000) } as object,
        summary: 's'.repeat(10_000),
      });
    }
  });

  for (const path of ['/api/contacts?page_size=100', '/api/conversations?page_size=100'])
    it(`${path} blocks the event loop for less than ${MAX_BLOCKED_MS} ms`, () =>
      assertLoopBlockedBelow(MAX_BLOCKED_MS, async () => {
        const response = await org.client.fetch(path);
        assert.equal(response.status, 200);
        let bytes = 0;
        for await (const piece of response.body!) bytes += (piece as Uint8Array).length;
        assert.ok(bytes > 1_000_000, `${bytes} bytes`);
      }));
});
