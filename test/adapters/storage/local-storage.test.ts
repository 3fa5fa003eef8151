import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createStorage } from '../../../adapters/storage/create-storage.ts';
import { LocalStorage } from '../../../adapters/storage/local-storage.ts';
import { loadSettings } from '../../../core/settings/settings.ts';
import { describeStorage } from './storage-contract.ts';

describe('local storage', () => {
  let home: string;
  let storage: LocalStorage;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'parley-storage-'));
    storage = new LocalStorage(join(home, 'files'));
  });
  after(async () => {
    await chmod(home, 0o755);
    await rm(home, { recursive: true });
  });

  describeStorage(() => storage);

  it('leaves no unfinished file behind', async () => {
    const content = new PassThrough();
    const putting = storage.put('org/bot/unfinished/1/original', content);
    content.write('half');
    await turn();
    content.destroy(new Error('gone'));
    await assert.rejects(putting, { message: 'gone' });
    assert.deepEqual(await readdir(join(home, 'files', '.incoming')), []);
  });

  it('rejects put with the error of a stream that fails immediately', async () => {
    const content = new PassThrough();
    const putting = storage.put('org/bot/at-once/1/original', content);
    content.destroy(new Error('gone'));
    await assert.rejects(putting, { message: 'gone' });
  });

  it('stores its files under PARLEY_HOME', async () => {
    const created = await createStorage(loadSettings({ PARLEY_HOME: home }));
    await created.put('org/bot/home/1/original', Readable.from(['x']));
    assert.deepEqual(await readdir(join(home, 'files', 'org', 'bot', 'home', '1')), ['original']);
  });

  it('deletes leftovers of killed processes, and nothing that is being written', async () => {
    const incoming = join(home, 'files', '.incoming');
    await writeFile(join(incoming, 'abandoned'), 'half');
    await utimes(join(incoming, 'abandoned'), 0, (Date.now() - 61 * 60_000) / 1000);
    await writeFile(join(incoming, 'arriving'), 'half');
    await createStorage(loadSettings({ PARLEY_HOME: home }));
    assert.deepEqual(await readdir(incoming), ['arriving']);
    await rm(join(incoming, 'arriving'));
  });

  it('fails its check if its folder is a file', async () => {
    await writeFile(join(home, 'occupied'), '');
    await assert.rejects(new LocalStorage(join(home, 'occupied')).check(), /ENOTDIR|EEXIST/);
  });
});
