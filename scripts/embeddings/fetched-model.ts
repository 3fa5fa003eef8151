import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Record<string, string | undefined>;

/** Files without which a downloaded embedding model does not run. */
const REQUIRED_FILES = ['model.onnx', 'tokenizer.json'];
/** Name of the file that names the embedding model that `npm start` uses. */
const CURRENT = 'current';
/**
 * Embedding model that an installation uses if the file `current` is missing: releases that did not write
 * this file offered no other model.
 */
const FORMER_MODEL = 'all-MiniLM-L6-v2-int8';

/** Returns the folder of downloaded embedding models. */
export function resolveModelsFolder(env: Environment): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'parley', 'models');
}

/** Returns the path of a downloaded embedding model; undefined if the download is incomplete. */
export function findModelPath(env: Environment, name: string): string | undefined {
  const folder = join(resolveModelsFolder(env), name);
  return REQUIRED_FILES.every((file) => existsSync(join(folder, file)))
    ? join(folder, 'model.onnx')
    : undefined;
}

/**
 * Returns the path of the embedding model that the operator chose last, which `npm start` uses; undefined if
 * no model was downloaded.
 */
export function findFetchedModel(env: Environment): string | undefined {
  const file = join(resolveModelsFolder(env), CURRENT);
  const name = existsSync(file) ? readFileSync(file, 'utf8').trim() : FORMER_MODEL;
  return findModelPath(env, name);
}

/** Sets the downloaded embedding model that `npm start` uses. */
export function chooseModel(env: Environment, name: string): void {
  writeFileSync(join(resolveModelsFolder(env), CURRENT), `${name}\n`);
}
