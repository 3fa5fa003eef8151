import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, OutputFile, Plugin } from 'esbuild';
import { translations, type Translation } from '../widget/languages.ts';

export type TranslationFile = `${Translation}.json`;
export type BrowserFile = 'widget.js' | 'reference.js' | 'reference.css' | TranslationFile;

/** File names of the widget's translations. */
export const translationFiles = translations.map((language): TranslationFile => `${language}.json`);

export const browserFiles: BrowserFile[] = [
  'widget.js',
  'reference.js',
  'reference.css',
  ...translationFiles,
];

/**
 * Name of the script that the console's page loads first. It loads other scripts of the same folder on
 * demand.
 */
export const CONSOLE_SCRIPT = 'console.js';

const isSource = import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL('../', import.meta.url));

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  outdir: 'dist/browser',
  platform: 'browser',
  target: 'es2022',
  minifyIdentifiers: true,
  minifySyntax: true,
  minifyWhitespace: true,
  charset: 'utf8',
  legalComments: 'none',
} as const satisfies BuildOptions;

/**
 * Bundles one file for browsers from its sources. Works in development only, because production does not
 * install the dependencies.
 */
export async function bundleBrowserFile(file: BrowserFile): Promise<Buffer> {
  if (file === 'widget.js') return bundleWidget();
  if (file === 'reference.js') return bundleEntry('browser/reference/main.ts', 'esm');
  if (file === 'reference.css') return minifyStyles(`${root}browser/reference/reference.css`);
  return minifyJson(await readFile(`${root}widget/languages/${file}`, 'utf8'));
}

async function bundleWidget(): Promise<Buffer> {
  const name = [...(await bundleWidgetParts()).keys()].find((each) => each.endsWith('.js'))!;
  return bundleEntry('widget/main.ts', 'iife', { PART_NAME: name.slice(name.indexOf('-')) });
}

const parts = ['booking', 'form'];

/**
 * Bundles the scripts and translations that the widget loads on demand. Each name contains a digest of the
 * contents. Names of scripts also contain a digest of their contract with the widget.
 * @returns contents by file name
 */
export async function bundleWidgetParts(): Promise<Map<string, Buffer>> {
  const folder = `${root}widget/`;
  const words = await Promise.all(
    translations.map((each) => readFile(`${folder}booking/languages/${each}.json`, 'utf8')),
  );
  const wordsName = `-${digestContents(words)}.json`;
  const scripts = await Promise.all(
    parts.map((part) => bundleEntry(`widget/${part}/part.ts`, 'esm', { WORDS_NAME: wordsName })),
  );
  const contracts = await Promise.all(parts.map((part) => readFile(`${folder}${part}/contract.ts`, 'utf8')));
  const scriptsName = `-${digestContents(contracts)}-${digestContents(scripts)}.js`;
  return new Map([
    ...parts.map((part, index) => [part + scriptsName, scripts[index]!] as const),
    ...translations.map((each, index) => [`booking-${each}${wordsName}`, minifyJson(words[index]!)] as const),
  ]);
}

/**
 * Bundles a script and what it imports.
 * @param constants values that replace names in the sources, by name
 */
async function bundleEntry(
  entry: string,
  format: 'esm' | 'iife',
  constants: Record<string, string> = {},
): Promise<Buffer> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    ...options,
    format,
    entryPoints: [entry],
    define: Object.fromEntries(Object.entries(constants).map(([name, text]) => [name, JSON.stringify(text)])),
    plugins: [styles],
  });
  return toBuffer(outputFiles[0]!);
}

function digestContents(contents: (string | Buffer)[]): string {
  return createHash('sha256').update(contents.join('\n')).digest('hex').slice(0, 8);
}

/**
 * Bundles the console into one main script and a script for each page that is loaded on demand. Their names
 * contain a digest, so that a browser never mixes two builds. The canvas bundles its own copy of Preact,
 * because `preact/compat` changes Preact for everything on the page.
 * @returns contents by file name
 */
export async function bundleConsole(): Promise<Map<string, Buffer>> {
  const { build } = await import('esbuild');
  const modules = { ...options, format: 'esm' as const, plugins: [styles] };
  const canvas = await build({
    ...modules,
    entryPoints: { 'flow-canvas': 'console/flows/canvas/mount-canvas.tsx' },
    entryNames: '[name]-[hash]',
    alias: {
      react: 'preact/compat',
      'react-dom': 'preact/compat',
      'react/jsx-runtime': 'preact/jsx-runtime',
    },
  });
  const canvasFile = canvas.outputFiles[0]!;
  const { outputFiles } = await build({
    ...modules,
    entryPoints: { console: 'console/main.tsx' },
    splitting: true,
    chunkNames: '[name]-[hash]',
    define: { FLOW_CANVAS: JSON.stringify(`./${basename(canvasFile.path)}`) },
    external: ['./flow-canvas-*'],
  });
  return new Map([...outputFiles, canvasFile].map((file) => [basename(file.path), toBuffer(file)]));
}

/**
 * Returns a file for browsers: bundled from its sources in development, otherwise from the build.
 * @throws Error if the build lacks it
 */
export async function loadBrowserFile(file: BrowserFile): Promise<Buffer> {
  return isSource ? bundleBrowserFile(file) : readFile(resolveBuiltPath(file));
}

/**
 * Returns the console's scripts: bundled from their sources in development, otherwise from the build.
 * @throws Error if the build lacks them
 */
export async function loadConsole(): Promise<Map<string, Buffer>> {
  return isSource ? bundleConsole() : readFolder(resolveBuiltPath('console'));
}

/**
 * Returns the files that the widget loads on demand: bundled from their sources in development, otherwise
 * from the build.
 * @throws Error if the build lacks them
 */
export async function loadWidgetParts(): Promise<Map<string, Buffer>> {
  return isSource ? bundleWidgetParts() : readFolder(resolveBuiltPath('widget'));
}

async function readFolder(folder: string): Promise<Map<string, Buffer>> {
  const names = await readdir(folder);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(`${folder}/${name}`)] as const)),
  );
}

function resolveBuiltPath(name: string): string {
  const path = `${root}browser/${name}`;
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\` first.`);
  return path;
}

function toBuffer({ contents }: OutputFile): Buffer {
  return Buffer.from(contents);
}

function minifyJson(json: string): Buffer {
  return Buffer.from(JSON.stringify(JSON.parse(json)));
}

/** esbuild plugin: `import styles from './widget.css'` gives the minified text of the style sheet. */
const styles: Plugin = {
  name: 'styles',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const contents = await minifyStyles(path);
      return { contents, loader: 'text' };
    });
  },
};

async function minifyStyles(path: string): Promise<Buffer> {
  const { transform } = await import('esbuild');
  const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
  return Buffer.from(code.trim());
}
