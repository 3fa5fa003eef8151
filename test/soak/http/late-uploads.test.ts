import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { ApiKey } from '../../../entities/team/api-key.entity.ts';
import { Document } from '../../../entities/knowledge/document.entity.ts';
import { Session } from '../../../entities/accounts/session.entity.ts';
import { readStoredState } from '../../support/snapshot.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startParley, type TestOrg, type TestParley } from '../../support/parley.ts';

const BOUNDARY = 'part';

describe('for a file that is still arriving while its caller loses access,', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
  });
  after(() => parley.stop());

  /**
   * Sends the first half of an upload, and returns a function that sends the rest and returns the response's
   * status.
   */
  function startUpload(path: string, token: string): () => Promise<number> {
    const { hostname, port } = new URL(parley.baseUrl);
    const socket: Socket = connect({ host: hostname, port: Number(port) });
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`;
    const tail = `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\nPrices\r\n--${BOUNDARY}--\r\n`;
    const half = 'A day pass costs 12 euros. '.repeat(400_000);
    const length = head.length + 2 * half.length + tail.length;
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${length}\r\n\r\n${head}${half}`,
    );
    return async () => {
      const response = text(socket);
      socket.write(half + tail);
      return Number(/^HTTP\/1\.1 (\d+)/.exec(await response)?.[1]);
    };
  }

  const losses: [what: string, lose: (org: TestOrg, sessionId: string) => Promise<unknown>][] = [
    [
      'its key is revoked',
      ({ orgId }) => parley.database.repository(ApiKey).update({ orgId }, { revokedAt: new Date() }),
    ],
    ['its session ends', (_, sessionId) => parley.database.repository(Session).delete(sessionId)],
  ];
  for (const [operation, suffix] of [
    ['uploadDocument', 'knowledge/upload'],
    ['putDocumentFile', 'documents/upload'],
  ] as const)
    for (const [index, [what, lose]] of losses.entries())
      it(`${operation} returns 401 if ${what} during the upload, and stores nothing`, async () => {
        const org = await parley.buildOrg();
        const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
        const { sessionId, accessToken } = await parley.signIn(org);
        const prefix = operation === 'uploadDocument' ? '/api' : '/api/ext';
        const { files } = await readStoredState(parley);
        const finish = startUpload(`${prefix}/bots/${bot.id}/${suffix}`, index === 0 ? org.key : accessToken);
        await waitUntil(
          async () => (await readStoredState(parley)).files.length > files.length,
          'the first half of the file to be stored',
        );
        await lose(org, sessionId);
        const { tables } = await readStoredState(parley);
        assert.equal(await finish(), 401);
        assert.deepEqual(await readStoredState(parley), { tables, files });
        assert.equal(await parley.database.repository(Document).countBy({ orgId: org.orgId }), 0);
      });
});
