import assert from 'node:assert/strict';
import { startParley, type ApiClient, type TestParley, type TestProcess } from '../../support/parley.ts';
import { waitUntilBlocked } from '../../support/wait-until-blocked.ts';
import { buildSession } from '../../support/widget.ts';

describe('writes that update a bot’s counts', () => {
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    parley = await startParley();
    second = await parley.startAnother();
  });
  after(() => parley.stop());

  const writes = {
    'sessions that begin': ({ bot }: { bot: { public_key: string } }) =>
      [parley, second].map((process) =>
        process.client().post(`/api/public/bots/${bot.public_key}/sessions`, {}),
      ),
    'a session that begins and a change of the bot': ({
      bot,
      client,
    }: {
      bot: { id: string; public_key: string };
      client: ApiClient;
    }) => [
      second.client().post(`/api/public/bots/${bot.public_key}/sessions`, {}),
      client.patch(`/api/bots/${bot.id}`, { name: 'Renamed' }),
    ],
    'a turn and the deletion of another conversation': (
      { path, session, bot, client }: Awaited<ReturnType<typeof buildSession>>,
      otherId: string,
    ) => [
      second.client(session.visitor_token).post(`${path}/messages`, { content: `Hello ${bot.name}` }),
      client.delete(`/api/conversations/${otherId}`),
    ],
  };

  for (const [what, write] of Object.entries(writes))
    it(`do not deadlock while another transaction refers to the bot: ${what}`, async () => {
      const built = await buildSession(parley);
      const { bot } = built;
      const { body: other } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
      const { database } = parley;
      const responses = await database.transaction(async (referring) => {
        await referring.sql('SELECT FROM bots WHERE id = $1 FOR KEY SHARE', [bot.id]);
        // Let the SQL statements wait with an old version of the bot's row, which has changed when they
        // continue.
        const under = await database.transaction(async (changing) => {
          await changing.sql('UPDATE bots SET total_messages = total_messages WHERE id = $1', [bot.id]);
          const writing = write(built, other.session_id);
          await waitUntilBlocked(database, 'both writes', writing.length);
          return { writing };
        });
        return Promise.all(under.writing);
      });
      for (const { status, body } of responses) assert.ok(status < 300, JSON.stringify(body));
    });
});
