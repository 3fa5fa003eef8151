import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { newId } from '../../core/ids.ts';
import { Avatar } from '../../entities/bots/avatar.entity.ts';
import { buildPngChunk, buildPng, uploadAvatar } from '../support/images.ts';
import { itInSoak, selectCases } from '../support/it-in-soak.ts';
import { findCommands } from '../support/knowledge.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { formatOutcome } from '../support/outcome.ts';
import { ReceivedResponse } from '../support/api-client.ts';
import type { BodyAt } from '../support/response-types.ts';

const MAX_BYTES = 2 * 1024 * 1024;
const SCRIPT = '<script>alert(1)</script>';
const blue = { r: 30, g: 64, b: 175 };
const drawImage = (width = 8, height = 8) =>
  sharp({ create: { width, height, channels: 3, background: blue } });

type Bot = BodyAt<'GET', '/api/bots/{}'>;

describe('avatars:', () => {
  let parley: TestParley;
  let jpeg: Buffer;
  let webp: Buffer;
  before(async () => {
    parley = await startParley({ PARLEY_BASE_URL: 'https://chat.example.com' });
    jpeg = await drawImage(40, 30).jpeg().toBuffer();
    webp = await drawImage(40, 30).webp().toBuffer();
  });
  after(() => parley.stop());

  async function buildBot(overrides: object = {}) {
    const built = await buildActiveBot(parley, overrides);
    const upload = async (content: Uint8Array | string, name = 'avatar.png', fields: object = {}) => {
      const body = new FormData();
      for (const [key, value] of Object.entries(fields)) body.set(key, String(value));
      body.set('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], name));
      const path = `/api/bots/${built.bot.id}/theme/avatar` as const;
      const response = await built.client.fetch(path, { method: 'POST', body });
      return new ReceivedResponse(response, (await response.json()) as Bot);
    };
    return { ...built, upload };
  }

  /** Returns the path in the URL of a bot’s avatar. */
  const avatarPath = (bot: Bot) => new URL(String(bot.widget_theme['avatar_url'])).pathname;

  async function fetchAvatar(bot: Bot) {
    const response = await parley.client().fetch(avatarPath(bot));
    return { response, content: Buffer.from(await response.arrayBuffer()) };
  }

  function listFiles({ orgId, bot }: { orgId: string; bot: { id: string } }): string[] {
    const folder = join(parley.runtime.settings.home, 'files', orgId, bot.id);
    if (!existsSync(folder)) return [];
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  describe('uploadBotAvatar', () => {
    it('sets avatar_url in the theme and keeps its other keys', async () => {
      const { client, bot, upload } = await buildBot({ widget_theme: { corner: 'left' } });
      const { status, body } = await upload(buildPng(8, 8));
      assert.equal(status, 200);
      const { avatar_url: url, ...others } = body.widget_theme;
      assert.match(String(url), /^https:\/\/chat\.example\.com\/api\/public\/assets\/[0-9a-f-]{36}$/);
      assert.deepEqual(others, { corner: 'left' });
      assert.ok(body.updated_at > bot.updated_at);
      assert.deepEqual((await client.get(`/api/bots/${bot.id}`)).body, body);
      const { body: config } = await parley.client().get(`/api/public/bots/${bot.public_key}/config`);
      assert.equal(config.theme.avatar_url, url);
    });

    it('accepts PNG, JPEG and WebP by their content, whatever their names', async () => {
      const { upload } = await buildBot();
      for (const [content, name, type, format] of [
        [buildPng(8, 8), 'a.gif', 'image/png', 'png'],
        [jpeg, 'a.png', 'image/jpeg', 'jpeg'],
        [webp, 'a.svg', 'image/webp', 'webp'],
      ] as const) {
        const { status, body } = await upload(content, name);
        assert.equal(status, 200);
        const { response, content: served } = await fetchAvatar(body);
        assert.equal(response.headers.get('content-type'), type);
        assert.equal((await sharp(served).metadata()).format, format);
      }
    });

    it('re-encodes the image with at most 512 pixels a side, and never enlarges it', async () => {
      const { upload } = await buildBot();
      for (const [given, expected] of [
        [
          [4096, 2048],
          [512, 256],
        ],
        [
          [40, 30],
          [40, 30],
        ],
      ] as const) {
        const { body } = await upload(
          await drawImage(...given)
            .png()
            .toBuffer(),
        );
        const { width, height } = await sharp((await fetchAvatar(body)).content).metadata();
        assert.deepEqual([width, height], expected);
      }
    });

    it('rotates a photograph upright, and strips its metadata', async () => {
      const { upload } = await buildBot();
      const photo = drawImage(40, 30)
        .jpeg()
        .withExif({ IFD0: { Copyright: 'Ada Okafor', Orientation: '6' } });
      const { body } = await upload(await photo.withMetadata({ orientation: 6 }).toBuffer());
      const { width, height, exif } = await sharp((await fetchAvatar(body)).content).metadata();
      assert.deepEqual([width, height, exif], [30, 40, undefined]);
    });

    itInSoak('strips data that a file hides in the image', async () => {
      const { upload } = await buildBot();
      const png = buildPng(8, 8);
      const note = buildPngChunk('tEXt', Buffer.from(`Comment\0${SCRIPT}`, 'latin1'));
      const comment = Buffer.from(`\xff\xfe\0${String.fromCharCode(SCRIPT.length + 2)}${SCRIPT}`, 'latin1');
      for (const content of [
        Buffer.concat([png.subarray(0, 33), note, png.subarray(33)]),
        Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]),
      ]) {
        assert.ok(content.includes(SCRIPT));
        const { status, body } = await upload(content);
        assert.equal(status, 200);
        assert.equal((await fetchAvatar(body)).content.includes(SCRIPT), false);
      }
    });

    itInSoak('accepts a photograph with an appended preview', async () => {
      const { upload } = await buildBot();
      assert.equal((await upload(Buffer.concat([jpeg, jpeg]))).status, 200);
    });

    it('replaces the previous image, whose URL returns 404 and whose file is deleted', async () => {
      const { orgId, bot, upload } = await buildBot();
      const { body: first } = await upload(buildPng(8, 8));
      const { body: second } = await upload(buildPng(9, 9));
      assert.notEqual(avatarPath(second), avatarPath(first));
      assert.equal((await fetchAvatar(first)).response.status, 404);
      assert.equal((await fetchAvatar(second)).response.status, 200);
      const [id, kept] = [first, second].map((each) => avatarPath(each).split('/').at(-1));
      assert.equal(await parley.database.repository(Avatar).countBy({ botId: bot.id }), 1);
      assert.deepEqual(await findCommands(parley.database, orgId), [
        {
          name: 'deleteFile',
          payload: {
            action: 'start',
            workflowId: `delete-file/${id}`,
            args: [{ orgId, botId: bot.id, storageKey: `${orgId}/${bot.id}/avatars/${id}` }],
            summary: 'Remove an avatar that was replaced',
          },
        },
      ]);
      assert.ok(listFiles({ orgId, bot }).includes(kept!));
    });

    itInSoak('keeps one of several simultaneous uploads', async () => {
      const { orgId, client, bot, upload } = await buildBot();
      const responses = await Promise.all([8, 9, 10, 11].map((size) => upload(buildPng(size, size))));
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200, 200, 200],
      );
      assert.equal(await parley.database.repository(Avatar).countBy({ botId: bot.id }), 1);
      assert.equal((await findCommands(parley.database, orgId)).length, 3);
      assert.equal((await fetchAvatar((await client.get(`/api/bots/${bot.id}`)).body)).response.status, 200);
    });

    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`;
    const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
    const otherFormats: [string, Uint8Array | string][] = [
      ['an SVG', svg],
      ['an SVG after a byte-order mark', `\ufeff${svg}`],
      ['a GIF', gif],
      ['a page', `<!doctype html>${SCRIPT}`],
      ['a text', 'PNG'],
      ['an image after other bytes', Buffer.concat([Buffer.from(SCRIPT), buildPng(8, 8)])],
      ['a RIFF that is not an image', Buffer.from('RIFF\x04\0\0\0WAVE', 'latin1')],
    ];
    for (const [what, content] of selectCases(otherFormats, 3)) {
      it(`refuses ${what} with 415, even if it is named .png`, async () => {
        const built = await buildBot();
        const { status, body, problem } = await built.upload(content, 'avatar.png');
        assert.equal(formatOutcome({ status, body }), '415 unsupported_media_type');
        assert.match(problem.error.message, /not a PNG, WebP or JPEG image/);
        assert.deepEqual(listFiles(built), []);
      });
    }

    const behind = /has other data after the image/;
    const cut = /is not complete/;
    const damaged = /is damaged/;
    const flipByte = (image: Buffer, at: number) => {
      const copy = Buffer.from(image);
      copy[at]! ^= 0xff;
      return copy;
    };
    const faulty: [string, () => Uint8Array, RegExp][] = [
      ['an empty file', () => Buffer.alloc(0), /is empty/],
      ['a PNG followed by a web page', () => Buffer.concat([buildPng(8, 8), Buffer.from(SCRIPT)]), behind],
      ['a JPEG followed by an archive', () => Buffer.concat([jpeg, Buffer.from('PK\x03\x04')]), behind],
      ['a WebP followed by a web page', () => Buffer.concat([webp, Buffer.from(SCRIPT)]), behind],
      ['half a PNG', () => buildPng(64, 64).subarray(0, 60), cut],
      ['a PNG without its end', () => buildPng(8, 8).subarray(0, -12), cut],
      ['half a JPEG', () => jpeg.subarray(0, jpeg.length / 2), cut],
      ['a JPEG without its end', () => jpeg.subarray(0, -2), cut],
      ['the beginning of a JPEG', () => jpeg.subarray(0, 3), cut],
      ['half a WebP', () => webp.subarray(0, webp.length / 2), cut],
      ['a PNG with damaged pixels', () => flipByte(buildPng(64, 64), 50), damaged],
      ['a PNG of no pixels', () => buildPng(0, 0), damaged],
      [
        'an image wider than 4096 pixels',
        () => buildPng(4097, 1),
        /4097 × 1 pixels; the maximum is 4096 × 4096/,
      ],
      ['an image higher than 4096 pixels', () => buildPng(1, 4097), /1 × 4097 pixels/],
      ['a small file of very many pixels', () => buildPixelBomb(60000), /60000 × 60000 pixels/],
    ];
    for (const [what, content, message] of selectCases(faulty, 5)) {
      it(`refuses ${what} with 422`, async () => {
        const built = await buildBot();
        const { status, body, problem } = await built.upload(content());
        assert.equal(formatOutcome({ status, body }), '422 validation_error');
        assert.match(problem.error.message, message);
        assert.deepEqual(
          problem.details.map(({ field }) => field),
          ['file'],
        );
        assert.deepEqual(listFiles(built), []);
        const { body: bot } = await built.client.get(`/api/bots/${built.bot.id}`);
        assert.deepEqual(bot.widget_theme, {});
      });
    }

    it('accepts a file of 2 MB, and returns 413 for a larger file', async () => {
      const { upload } = await buildBot();
      const png = buildPng(8, 8);
      const padTo = (size: number) => {
        const filling = buildPngChunk('teSt', Buffer.alloc(size - png.length - 12));
        return Buffer.concat([png.subarray(0, 33), filling, png.subarray(33)]);
      };
      assert.equal((await upload(padTo(MAX_BYTES))).status, 200);
      const { status, body, problem } = await upload(padTo(MAX_BYTES + 1));
      assert.equal(formatOutcome({ status, body }), '413 payload_too_large');
      assert.equal(problem.error.message, 'The file exceeds 2 MB. Send a smaller file.');
    });

    it('returns 422 for fields other than the file', async () => {
      const { upload } = await buildBot();
      const { status, problem } = await upload(buildPng(8, 8), 'a.png', { title: 'Me' });
      assert.deepEqual([status, problem.details[0]!.field], [422, 'title']);
    });
  });

  describe('getPublicAsset', () => {
    it('returns an immutable image that no browser sniffs or executes', async () => {
      const { client, bot } = await buildBot();
      const { response } = await fetchAvatar(await uploadAvatar(client, bot.id));
      const readHeader = (name: string) => response.headers.get(name);
      assert.equal(readHeader('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(readHeader('x-content-type-options'), 'nosniff');
      assert.equal(readHeader('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
      assert.equal(readHeader('cross-origin-resource-policy'), 'cross-origin');
      assert.equal(readHeader('access-control-allow-origin'), '*');
    });

    it('returns the headers of GET to HEAD', async () => {
      const { client, bot } = await buildBot();
      const shown = await uploadAvatar(client, bot.id);
      const { content } = await fetchAvatar(shown);
      const { status, headers } = await parley.client().fetch(avatarPath(shown), { method: 'HEAD' });
      assert.equal(status, 200);
      assert.equal(headers.get('content-length'), String(content.length));
      assert.equal(headers.get('content-type'), 'image/png');
    });

    it('returns the avatar of a draft bot', async () => {
      const { client } = await parley.buildOrg();
      const { body: bot } = await client.post('/api/bots', { name: 'Help desk' });
      assert.equal((await fetchAvatar(await uploadAvatar(client, bot.id))).response.status, 200);
    });

    it('returns 404 if the theme no longer shows the image, and for a deleted bot', async () => {
      const { client, bot } = await buildBot();
      const shown = await uploadAvatar(client, bot.id);
      const readStatus = async () => (await fetchAvatar(shown)).response.status;
      await client.patch(`/api/bots/${bot.id}`, { widget_theme: { avatar_url: null } });
      assert.equal(await readStatus(), 404);
      await client.patch(`/api/bots/${bot.id}`, { widget_theme: shown.widget_theme });
      assert.equal(await readStatus(), 200);
      await client.delete(`/api/bots/${bot.id}`);
      assert.equal(await readStatus(), 404);
    });

    it('returns 404 for any other stored id, and 422 for a path', async () => {
      const { client, bot, orgId } = await buildBot();
      const document = await client.post(`/api/bots/${bot.id}/knowledge`, {
        source_type: 'raw_text',
        raw_text: 'The safe is behind the painting.',
      });
      for (const id of [document.body.id, bot.id, orgId, newId()]) {
        const { status, body, headers } = await parley.client().get(`/api/public/assets/${id}`);
        assert.equal(formatOutcome({ status, body }), '404 not_found');
        assert.equal(headers.get('cache-control'), 'no-store');
      }
      const { status } = await parley.client().get(`/api/public/assets/${encodeURIComponent('../files/x')}`);
      assert.equal(status, 422);
    });

    it('returns 404 if the file is missing', async () => {
      const { client, bot } = await buildBot();
      const shown = await uploadAvatar(client, bot.id);
      const { storageKey } = await parley.database.repository(Avatar).findOneByOrFail({ botId: bot.id });
      await parley.runtime.services.knowledge.purge.removeFile(storageKey);
      const { response, content } = await fetchAvatar(shown);
      assert.equal(response.status, 404);
      assert.equal(JSON.parse(content.toString()).error.code, 'not_found');
    });
  });
});

/** Builds a PNG whose header says that it has `size` pixels a side, but which contains no pixels. */
function buildPixelBomb(size: number): Buffer {
  const header = Buffer.from(buildPng(1, 1).subarray(16, 29));
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  const png = buildPng(1, 1);
  return Buffer.concat([png.subarray(0, 8), buildPngChunk('IHDR', header), png.subarray(33)]);
}
