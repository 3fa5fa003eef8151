import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Loader, Plugin } from 'esbuild';

const FROM_MANTINE = /import \{([^}]*)\} from ['"]@mantine\/(core|hooks)['"];?/g;
const IMPORT = /import \{([^}]*)\} from "(\.[^"]+)";/g;

/**
 * Adapts the modules of the console to how esbuild splits scripts.
 *
 * Each part of Mantine is imported from its own file. esbuild would otherwise load the whole index of the
 * library, and all parts of it that any page uses, with the first script.
 *
 * Each script that is loaded on demand imports the scripts that are loaded before it. esbuild puts modules into
 * one chunk if the same scripts need them: without this, the sign-in page would load a dozen chunks.
 */
export function adaptModules(root: string): Plugin {
  const indexes = new Map<string, Promise<Map<string, string>>>();
  const findFile = async (library: string, name: string): Promise<string> => {
    const folder = `${root}node_modules/@mantine/${library}/esm/`;
    if (!indexes.has(library)) indexes.set(library, readIndex(folder));
    const file = (await indexes.get(library)!).get(name);
    if (file === undefined) throw new Error(`@mantine/${library} does not export ${name}.`);
    return file;
  };
  /** Modules that are loaded on demand, with the module that loads them. */
  const importers = new Map<string, string>();
  return {
    name: 'adapt-modules',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^\.\.?\// }, ({ kind, path, importer, resolveDir }) => {
        if (kind === 'dynamic-import') importers.set(join(resolveDir, path), importer);
        return null;
      });
      onLoad({ filter: /\/(console\/.*\.tsx?|@mantine\/[a-z]+\/esm\/.*\.mjs)$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const importer = importers.get(path);
        const earlier = importer === undefined ? [] : listEarlier(root, path, importer);
        const contents = await importDirectly(addImports(source, earlier), findFile);
        return { contents, loader: getLoader(path), resolveDir: dirname(path) };
      });
    },
  };
}

/** Replaces imports of Mantine's indexes by imports of single files. */
async function importDirectly(
  source: string,
  findFile: (library: string, name: string) => Promise<string>,
): Promise<string> {
  let contents = source;
  for (const [statement, names = '', library = ''] of source.matchAll(FROM_MANTINE)) {
    const imports = await Promise.all(
      splitNames(names).map(async (specifier) => {
        const file = await findFile(library, specifier.split(' as ')[0]!);
        return `import { ${specifier} } from ${JSON.stringify(file)};`;
      }),
    );
    contents = contents.replace(statement, imports.join(' '));
  }
  return contents;
}

/** Returns the file of each name that an index module exports. */
async function readIndex(folder: string): Promise<Map<string, string>> {
  const index = await readFile(join(folder, 'index.mjs'), 'utf8');
  return new Map(
    [...index.matchAll(IMPORT)].flatMap(([, names = '', file = '']) =>
      splitNames(names).map((name) => [name.split(' as ').at(-1)!, join(folder, file)] as const),
    ),
  );
}

/** Returns the imported values of an import statement, without types. */
function splitNames(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

/** Modules that the console loads first, each on demand of the one before it. */
const FIRST = ['console/app.tsx', 'console/shell/signed-in.tsx', 'console/areas.tsx'];

/** Returns the modules whose scripts are loaded before the script of a module. */
function listEarlier(root: string, path: string, importer: string): string[] {
  const files = FIRST.map((file) => `${root}${file}`);
  const position = files.indexOf(path);
  if (position !== -1) return files.slice(0, position);
  if (importer === files[0]) return files.slice(0, 1);
  return importer.startsWith(`${root}console/shell/`) ? files.slice(0, 2) : files;
}

/** Adds imports to the first line of a module. */
function addImports(source: string, files: readonly string[]): string {
  return `${files.map((file) => `import ${JSON.stringify(file)};`).join(' ')} ${source}`;
}

function getLoader(path: string): Loader {
  if (path.endsWith('.tsx')) return 'tsx';
  return path.endsWith('.ts') ? 'ts' : 'js';
}
