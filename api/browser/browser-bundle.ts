import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { translations, type Translation } from '../../widget/languages.ts';

/** The scripts that browsers load, and the source that each is bundled from. */
const entries = {
  'widget.js': 'widget/main.ts',
  'console.js': 'console/main.tsx',
} as const;

type ScriptFile = keyof typeof entries;
export type TranslationFile = `${Translation}.json`;
export type BrowserFile = ScriptFile | TranslationFile;

/** The widget's words in other languages than English. */
export const translationFiles = translations.map((language): TranslationFile => `${language}.json`);

export const browserFiles: BrowserFile[] = [...(Object.keys(entries) as ScriptFile[]), ...translationFiles];

const isSource = import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL('../../', import.meta.url));

const options: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
};

/** Bundles one file from its sources. esbuild is there in development only. */
export async function bundleBrowserFile(file: BrowserFile): Promise<Buffer> {
  if (!isScript(file)) return withoutSpace(await readFile(`${root}widget/languages/${file}`, 'utf8'));
  const { build } = await import('esbuild');
  const { outputFiles } = await build({ ...options, entryPoints: [entries[file]], plugins: [styles] });
  return Buffer.from(outputFiles![0]!.contents);
}

/**
 * A file as browsers get it: bundled from its sources in development, and otherwise as it was built.
 * @throws Error when the build lacks it
 */
export async function loadBrowserFile(file: BrowserFile): Promise<Buffer> {
  if (isSource) return bundleBrowserFile(file);
  const path = `${root}browser/${file}`;
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\` first.`);
  return readFile(path);
}

function isScript(file: BrowserFile): file is ScriptFile {
  return file in entries;
}

function withoutSpace(json: string): Buffer {
  return Buffer.from(JSON.stringify(JSON.parse(json)));
}

/** `import styles from './widget.css'` is the text of the style sheet, minified. */
const styles: Plugin = {
  name: 'styles',
  setup: ({ onLoad, esbuild }) => {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const { code } = await esbuild.transform(source, { loader: 'css', minify: true });
      return { contents: code, loader: 'text' };
    });
  },
};
