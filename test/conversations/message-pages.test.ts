import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

const KB = 1024;
const MB = 1024 * KB;

describe('pages of long messages', () => {
  let parley: SharedParley;
  let session: Awaited<ReturnType<typeof buildSession>>;
  before(async () => {
    parley = await startSharedParley();
  });
  beforeEach(async () => {
    session = await buildSession(parley);
  });

  /** Inserts messages with these numbers of characters, two in each second. Returns their ids in order. */
  async function insertMessages(lengths: readonly number[]): Promise<string[]> {
    const rows = lengths.map((length, index) => ({
      id: newId(),
      orgId: session.orgId,
      conversationId: session.session.session_id as string,
      role: 'user' as const,
      content: 'x'.repeat(length),
      createdAt: new Date(Date.UTC(2026, 8, 3, 10, 15, Math.floor(index / 2))),
    }));
    await parley.database.repository(Message).insert(rows);
    return rows.map(({ id }) => id);
  }

  const readers = [
    {
      id: 'listConversationMessages',
      maxBytes: 4 * MB,
      path: () => `/api/conversations/${session.session.session_id}/messages`,
      read: (path: string) => session.client.fetch(path),
    },
    {
      id: 'listWidgetMessages',
      maxBytes: MB,
      path: () => `${session.path}/messages`,
      read: (path: string) => session.visitor.fetch(path),
    },
  ];

  for (const { id, maxBytes, path, read } of readers) {
    async function readPage(target: string) {
      const response = await read(target);
      assert.equal(response.status, 200);
      const messages = (await response.json()) as { id: string; content: string }[];
      const next = /^<([^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      return { ids: messages.map((each) => each.id), next };
    }

    async function followLinks(target: string): Promise<string[][]> {
      const pages: string[][] = [];
      for (let next: string | undefined = target; next !== undefined;) {
        const page = await readPage(next);
        pages.push(page.ids);
        next = page.next;
      }
      return pages;
    }

    it(`of ${id} end before they exceed ${maxBytes / MB} MB, and their links continue exactly in both directions`, async () => {
      const ids = await insertMessages(Array<number>(9).fill(maxBytes / 4));
      const slices = (sizes: number[]) => {
        let at = 0;
        return sizes.map((size) => ids.slice(at, (at += size)));
      };
      assert.deepEqual(await followLinks(`${path()}?limit=500`), slices([4, 4, 1]));
      const back = await followLinks(`${path()}?before=end&limit=500`);
      assert.deepEqual(back.toReversed(), slices([1, 4, 4]));
    });

    it(`of ${id} end after limit messages, and link to the next page only if there is a next page`, async () => {
      const ids = await insertMessages(Array<number>(4).fill(10));
      assert.deepEqual(await readPage(`${path()}?limit=3`), {
        ids: ids.slice(0, 3),
        next: `${path()}?limit=3&after=${ids[2]}`,
      });
      assert.deepEqual(await readPage(`${path()}?limit=3&after=${ids[0]}`), {
        ids: ids.slice(1),
        next: undefined,
      });
      assert.deepEqual(await readPage(`${path()}?limit=4`), { ids, next: undefined });
      assert.deepEqual(await readPage(`${path()}?after=${ids[3]}`), { ids: [], next: undefined });
    });

    it(`of ${id} have one message if it alone exceeds the page`, async () => {
      const ids = await insertMessages([maxBytes + 1, 10, maxBytes + 1]);
      assert.deepEqual(
        await followLinks(path()),
        ids.map((each) => [each]),
      );
    });
  }

  it('of getConversation end before they exceed 4 MB', async () => {
    const ids = await insertMessages(Array<number>(9).fill(MB));
    const { body } = await session.client.get(`/api/conversations/${session.session.session_id}`);
    assert.deepEqual(
      body.messages.map(({ id }: { id: string }) => id),
      ids.slice(0, 4),
    );
  });

  it('are not needed by tasks, for which listNewest reads at most 2 MB of the newest messages', async () => {
    const ids = await insertMessages(Array<number>(12).fill(MB / 4));
    const scope = { orgId: session.orgId, db: parley.database };
    const conversationId = session.session.session_id as string;
    const newest = await new MessageRepository().listNewest({ ...scope, conversationId }, 400);
    assert.deepEqual(
      newest.map(({ id }) => id),
      ids.slice(-7),
    );
  });
});
