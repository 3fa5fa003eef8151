import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { newId } from '../../core/ids.ts';
import { ConversationFile } from '../../entities/conversations/conversation-file.entity.ts';
import { WorkspaceKey } from '../../entities/encryption/workspace-key.entity.ts';
import { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import { buildPng } from '../support/images.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { findCommands } from '../support/knowledge.ts';
import { assertNeutral, formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildSession, startSession } from '../support/widget.ts';
import { upload } from './files-support.ts';

const NOTES = 'The brake squeals in the rain.';

describe('files in conversations:', () => {
  let parley: TestParley;
  /** An API process whose operator encrypts the content of all workspaces. */
  let sealing: TestProcess;
  before(async () => {
    parley = await startParley();
    sealing = await parley.startAnother({ sealContent: true });
  });
  after(() => parley.stop());

  async function build(files: unknown = 'all') {
    return toScene(
      await buildSession(parley, {
        handoff_enabled: true,
        ...(files !== null && { widget_theme: { files } }),
      }),
    );
  }

  function toScene(visit: Awaited<ReturnType<typeof buildSession>>) {
    const { visitor, session, path } = visit;
    const filesPath = `/api/ext/public/sessions/${session.session_id}/files` as const;
    return {
      ...visit,
      filesPath,
      teamPath: `/api/ext/conversations/${session.session_id}/files` as const,
      /** Uploads a visitor's file; by default for a new message. */
      add: (
        content: Uint8Array | string = buildPng(8, 8),
        fields: Record<string, string> = {},
        headers = {},
      ) => upload(visitor, filesPath, content, { client_id: newId(), ...fields }, headers),
      say: (content: string, clientId: string) =>
        visitor.post(`${path}/messages`, { content, client_id: clientId }),
      listOwn: async () => (await visitor.get(filesPath)).body,
    };
  }

  const open = (url: string) => parley.client().fetch(new URL(url).pathname);
  const readRow = (id: string) => parley.database.repository(ConversationFile).findOneByOrFail({ id });
  const folder = (orgId: string, botId: string) =>
    join(parley.runtime.settings.home, 'files', orgId, botId, 'files');

  function listStored({ orgId, bot }: { orgId: string; bot: { id: string } }): string[] {
    if (!existsSync(folder(orgId, bot.id))) return [];
    const entries = readdirSync(folder(orgId, bot.id), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  it('uploadWidgetFile stores a file that the visitor’s message with the same client_id then has', async () => {
    const { add, say, listOwn, client, teamPath } = await build();
    const clientId = newId();
    const { status, body: file } = await add(buildPng(8, 8), { client_id: clientId });
    assert.equal(status, 201, JSON.stringify(file));
    const { mime_type, width, height, name, message_id, sender_role } = file;
    assert.deepEqual(
      { mime_type, width, height, name, message_id, sender_role },
      {
        mime_type: 'image/png',
        width: 8,
        height: 8,
        name: 'photo.png',
        message_id: null,
        sender_role: 'user',
      },
    );
    assert.deepEqual((await client.get(teamPath)).body, []);
    await say('photo.png', clientId);
    const [own] = await listOwn();
    const [seen] = (await client.get(teamPath)).body;
    assert.deepEqual([own?.id, seen?.id, own?.message_id], [file.id, file.id, seen?.message_id]);
    assert.notEqual(seen?.message_id, null);

    const response = await open(seen!.url);
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.equal(response.headers.get('content-disposition'), 'inline; filename="photo.png"');
    assert.equal(response.headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('set-cookie'), null);
    assert.equal((await response.arrayBuffer()).byteLength, file.size_bytes);
  });

  it('uploadWidgetFile stores photographs upright and without their metadata, and animations with all frames', async () => {
    const { add } = await build('images');
    const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#123456' } })
      .jpeg()
      .withExif({
        IFD0: { Copyright: 'Ada Okafor', Orientation: '6' },
        IFD3: { GPSLatitude: '51/1 30/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { body } = await add(photo, { name: 'photo.jpg' });
    assert.deepEqual([body.width, body.height, body.name], [30, 40, 'photo.jpg']);
    const stored = Buffer.from(await (await open(body.url)).arrayBuffer());
    assert.equal((await sharp(stored).metadata()).exif, undefined);

    const frames = await Promise.all(
      ['#ff0000', '#00ff00'].map((background) =>
        sharp({ create: { width: 8, height: 8, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { body: moving } = await add(gif, { name: 'wave' });
    assert.deepEqual(
      [moving.mime_type, moving.name, moving.width, moving.height],
      ['image/gif', 'wave.gif', 8, 8],
    );
    const served = Buffer.from(await (await open(moving.url)).arrayBuffer());
    assert.equal((await sharp(served, { animated: true }).metadata()).pages, 2);
  });

  it('uploadWidgetFile serves documents as attachments with their own type', async () => {
    const { add } = await build('documents');
    const { body } = await add(NOTES, { name: 'notes.txt' });
    const response = await open(body.url);
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="notes.txt"');
    assert.match(response.headers.get('content-type')!, /^text\/plain/);
    assert.equal(await response.text(), NOTES);
  });

  it('uploadWidgetFile refuses files if the bot’s theme names none, and kinds that it does not name', async () => {
    for (const [files, content, outcome] of [
      [null, NOTES, '409 conflict'],
      [true, NOTES, '409 conflict'],
      ['images', NOTES, '415 unsupported_media_type'],
      ['documents', buildPng(8, 8), '415 unsupported_media_type'],
    ] as const) {
      const scene = await build(files);
      assert.equal(formatOutcome(await scene.add(content, { name: 'notes' })), outcome);
      assert.deepEqual(listStored(scene), []);
    }
  });

  it('sendConversationFile sends a message with a file, which listWidgetFiles and listConversationFiles return', async () => {
    const { visitor, client, session, path, teamPath, listOwn } = await build();
    const refused = await upload(client, teamPath, NOTES, { name: 'price list.txt' });
    assert.equal(refused.status, 409);
    await visitor.post(`${path}/handoff`, {});
    const { status, body } = await upload(client, teamPath, NOTES, { name: 'price list.txt' });
    assert.equal(status, 201, JSON.stringify(body));
    const { body: messages } = await visitor.get(`${path}/messages`);
    const message = messages.find(({ id }) => id === body.message_id);
    assert.deepEqual([message?.role, message?.content], ['agent', 'price list.txt']);
    const own = await listOwn();
    assert.deepEqual(
      own.map(({ id, sender_role }) => [id, sender_role]),
      [[body.id, 'agent']],
    );
    const { body: team } = await client.get(`/api/conversations/${session.session_id}/messages`);
    assert.equal(team.filter(({ role }) => role === 'agent').length, 1);
  });

  it('deleteWidgetFile deletes a file that was not sent, and refuses sent and foreign files', async () => {
    const scene = await build();
    const { add, say, visitor, filesPath, listOwn, orgId } = scene;
    const clientId = newId();
    const [{ body: sent }, { body: unsent }] = [await add(NOTES, { client_id: clientId }), await add()];
    await say('Hello', clientId);
    const other = toScene(await startSession(parley, scene));
    assert.equal(
      formatOutcome(await other.visitor.delete(`${other.filesPath}/${unsent.id}`)),
      '404 not_found',
    );
    assert.equal(formatOutcome(await visitor.delete(`${filesPath}/${sent.id}`)), '409 conflict');
    assert.equal((await visitor.delete(`${filesPath}/${unsent.id}`)).status, 200);
    assert.deepEqual(
      (await listOwn()).map(({ id }) => id),
      [sent.id],
    );
    const [command] = await findCommands(parley.database, orgId);
    assert.match(JSON.stringify(command?.payload), new RegExp(`${unsent.id}/"`));
    assert.equal((await open(unsent.url)).status, 404);
  });

  it('uploadWidgetFile returns the first response to a repeated request, and limits files at once', async () => {
    const { add, listOwn } = await build();
    const [clientId, key] = [newId(), newId()];
    const headers = { 'idempotency-key': key };
    const first = await add(NOTES, { client_id: clientId }, headers);
    const repeated = await add(NOTES, { client_id: clientId }, headers);
    assert.deepEqual([repeated.status, repeated.body.id], [201, first.body.id]);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => add(NOTES, { client_id: clientId, name: 'a.txt' })),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 201, 201, 409, 409]);
    assert.equal((await listOwn()).length, 5);
  });

  it('a deleted conversation deletes its files and ends their links', async () => {
    const scene = await build();
    const { add, client, session, orgId } = scene;
    const { body } = await add(NOTES);
    await client.delete(`/api/conversations/${session.session_id}`);
    assert.equal((await open(body.url)).status, 404);
    const commands = await findCommands(parley.database, orgId);
    assert.match(JSON.stringify(commands), new RegExp(`files/${session.session_id}/"`));
    const [{ payload }] = commands as unknown as [{ payload: { args: [{ storageKey: string }] } }];
    await parley.runtime.services.knowledge.purge.removeFile(payload.args[0].storageKey);
    assert.deepEqual(listStored(scene), []);
    assert.equal((await scene.add(NOTES)).status, 401);
  });

  it('removeUnsent deletes files without a message after an hour, and notes the messages of others', async () => {
    const { add, say, orgId, listOwn } = await build();
    const clientId = newId();
    const [{ body: sent }, { body: unsent }] = [await add(NOTES, { client_id: clientId }), await add(NOTES)];
    await say('Hello', clientId);
    const { fileRemoval } = parley.runtime.services.conversations;
    await fileRemoval.removeUnsent(parley.database);
    assert.equal((await listOwn()).length, 2);
    await parley.database.sql(
      "UPDATE conversation_files SET created_at = now() - interval '61 minutes' WHERE org_id = $1",
      [orgId],
    );
    await fileRemoval.removeUnsent(parley.database);
    assert.deepEqual(
      (await listOwn()).map(({ id }) => id),
      [sent.id],
    );
    assert.notEqual((await readRow(sent.id)).messageId, null);
    assert.match(JSON.stringify(await findCommands(parley.database, orgId)), new RegExp(`${unsent.id}/"`));
  });

  it('files are encrypted with their names, by uploads and by reseal', async () => {
    const scene = await build();
    const { add, orgId, filesPath, session } = scene;
    const { body: earlier } = await add(NOTES, { name: 'brake.txt' });
    assert.match(readFileSync(listStored(scene)[0]!, 'utf8'), /squeals/);
    const visitor = sealing.client(session.visitor_token);
    const { body: later } = await upload(visitor, filesPath, NOTES, {
      client_id: newId(),
      name: 'brake.txt',
    });
    const { contentKeys, resealing } = sealing.runtime.services.encryption;
    await contentKeys.getCurrentKey(orgId);
    await parley.database.repository(OrgEncryption).update(orgId, { isSealing: true });
    await resealing.runSteps({ orgId, db: parley.database }, () => false);
    for (const { id } of [earlier, later]) {
      const row = await readRow(id);
      assert.ok(row.keyId !== null && row.fileKeyId !== null, JSON.stringify(row));
      assert.doesNotMatch(JSON.stringify(row), /brake/);
      assert.doesNotMatch(
        readFileSync(join(parley.runtime.settings.home, 'files', row.storageKey), 'latin1'),
        /squeals/,
      );
    }
    for (const { url, name } of (await visitor.get(filesPath)).body) {
      assert.equal(name, 'brake.txt');
      const response = await sealing.client().fetch(new URL(url).pathname);
      assert.equal(await response.text(), NOTES);
    }
    const { url } = (await visitor.get(filesPath)).body[0]!;
    await parley.database.repository(OrgEncryption).update({ orgId }, { mode: 'tenant' });
    const key = { root: 'service', wrappedKey: 'vault:v1:none' } as const;
    await parley.database.repository(WorkspaceKey).update({ orgId }, key);
    contentKeys.forget(orgId);
    const { status, problem } = await sealing
      .client()
      .get(new URL(url).pathname as `/api/ext/files/${string}`);
    assert.equal(status, 423);
    assertNeutral(problem);
  });

  itInSoak('uploadWidgetFile refuses the 21st file of a conversation', async () => {
    const { add } = await build();
    for (let count = 0; count < 20; count += 1) assert.equal((await add(NOTES)).status, 201);
    assert.equal((await add(NOTES)).status, 409);
  });
});
