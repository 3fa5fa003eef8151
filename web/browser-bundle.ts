import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild';
import { translations, type Translation } from '../widget/languages.ts';
import { renderConsoleHtml, type ConsoleFiles } from './console-html.ts';
import { adaptModules } from './console-plugins.ts';

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

export const CONSOLE_PAGE = 'index.html';

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
 * Bundles one script, style sheet or translation for browsers from its sources. Runs only in development,
 * because production does not install the bundler.
 */
export async function bundleBrowserFile(file: BrowserFile): Promise<Buffer> {
  if (file === 'widget.js') return bundleWidget();
  if (file === 'reference.js') return bundleEntry('browser/reference/main.ts', 'esm');
  if (file === 'reference.css') return minifyStyles(`${root}browser/reference/reference.css`);
  return minifyJson(await readFile(`${root}widget/languages/${file}`, 'utf8'));
}

async function bundleWidget(): Promise<Buffer> {
  return bundleEntry('widget/main.ts', 'iife', { PART_NAME: await findPartName() });
}

/** Returns the suffix of the names of the scripts that the widget loads on demand. */
async function findPartName(): Promise<string> {
  const name = [...(await bundleWidgetParts()).keys()].find((each) => each.endsWith('.js'))!;
  return name.slice(name.indexOf('-'));
}

const parts = ['booking', 'directory', 'faults', 'files', 'form', 'launcher', 'markdown', 'rating', 'sheets'];

/**
 * Bundles the scripts and translations that the widget loads on demand. Each name contains a digest of the
 * contents. Names of scripts also contain a digest of their contract with the widget.
 * @returns contents of the files by file name
 */
export async function bundleWidgetParts(): Promise<Map<string, Buffer>> {
  const folder = `${root}widget/`;
  const translationTexts = await Promise.all(
    translations.map((each) => readFile(`${folder}booking/languages/${each}.json`, 'utf8')),
  );
  const translationsName = `-${digestContents(translationTexts)}.json`;
  const scripts = await Promise.all(
    parts.map((part) => bundleEntry(`widget/${part}/part.ts`, 'esm', { WORDS_NAME: translationsName })),
  );
  const contracts = await Promise.all(parts.map((part) => readFile(`${folder}${part}/contract.ts`, 'utf8')));
  const scriptsName = `-${digestContents(contracts)}-${digestContents(scripts)}.js`;
  return new Map([
    ...parts.map((part, index) => [part + scriptsName, scripts[index]!] as const),
    ...translations.map(
      (each, index) => [`booking-${each}${translationsName}`, minifyJson(translationTexts[index]!)] as const,
    ),
  ]);
}

/**
 * Bundles a browser script and the modules that it imports.
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
 * Bundles the console into one main script and a script for each page that is loaded on demand, with the page
 * and the style sheets. Names of scripts and style sheets contain a digest, so that a browser never mixes two
 * builds.
 * @returns contents of the files by file name
 */
export async function bundleConsole(): Promise<Map<string, Buffer>> {
  const { build } = await import('esbuild');
  const [scripts, sheets, icons] = await Promise.all([
    build({
      ...options,
      format: 'esm',
      entryPoints: { console: 'console/main.tsx' },
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      splitting: true,
      metafile: true,
      // The console's preview of the bot studio contains the widget, so it needs the names of the widget's
      // scripts.
      define: { 'process.env.NODE_ENV': '"production"', PART_NAME: JSON.stringify(await findPartName()) },
      plugins: [adaptModules(root), styles],
    }),
    build({
      ...options,
      entryPoints: { console: 'console/styles/console.css', 'signed-in': 'console/styles/signed-in.css' },
      entryNames: '[name]-[hash]',
      plugins: [themeVariables],
    }),
    Promise.all(
      ['favicon.svg', 'favicon-waiting.svg'].map(
        async (name) => [name, await readFile(`${root}console/styles/${name}`)] as const,
      ),
    ),
  ]);
  const [styleSheet, signedInStyles] = sheets.outputFiles.map(({ path }) => basename(path));
  const html = renderConsoleHtml({
    ...findScripts(scripts.metafile),
    styles: styleSheet!,
    signedInStyles: signedInStyles!,
  });
  return new Map([
    ...[...scripts.outputFiles, ...sheets.outputFiles].map(
      (file) => [basename(file.path), toBuffer(file)] as const,
    ),
    ...icons,
    [CONSOLE_PAGE, Buffer.from(html)],
  ]);
}

/** Finds the first script of the console in the bundler's output, and the scripts that it needs at once. */
function findScripts({ outputs }: Metafile): Pick<ConsoleFiles, 'script' | 'imports'> {
  const [first] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'console/main.tsx')!;
  const found = new Set<string>();
  const visit = (path: string): void => {
    for (const { path: imported, kind } of outputs[path]!.imports) {
      if (kind !== 'import-statement' || found.has(imported)) continue;
      found.add(imported);
      visit(imported);
    }
  };
  visit(first);
  return { script: basename(first), imports: [...found].map((path) => basename(path)) };
}

/**
 * Returns a file for browsers: bundled from its sources in development, and from the build in production.
 * @throws Error if the build lacks the file
 */
export async function loadBrowserFile(file: BrowserFile): Promise<Buffer> {
  return isSource ? bundleBrowserFile(file) : readFile(resolveBuiltPath(file));
}

/**
 * Returns the console's files: bundled from their sources in development, and from the build in production.
 * @throws Error if the build lacks the files
 */
export async function loadConsole(): Promise<Map<string, Buffer>> {
  return isSource ? bundleConsole() : readFolder(resolveBuiltPath('console'));
}

/**
 * Returns the files that the widget loads on demand: bundled from their sources in development, and from the
 * build in production.
 * @throws Error if the build lacks the files
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

/**
 * Provides the console's design tokens as `theme-variables.css`. Mantine would write them to a style element,
 * which the content security policy refuses.
 */
const themeVariables: Plugin = {
  name: 'theme-variables',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^theme-variables\.css$/ }, ({ path }) => ({ path, namespace: 'theme' }));
    onLoad({ filter: /.*/, namespace: 'theme' }, async () => ({
      contents: await loadThemeVariables(),
      loader: 'css',
    }));
  },
};

/**
 * Loads the theme only when the console is bundled: production does not install its libraries. The path is not
 * a literal, so that the types of React's elements stay out of this program.
 */
async function loadThemeVariables(): Promise<string> {
  const { href } = new URL('../console/components/theme/theme-variables.ts', import.meta.url);
  const { createThemeVariables } = (await import(href)) as { createThemeVariables(): string };
  return createThemeVariables();
}
