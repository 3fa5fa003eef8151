import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Loader, Plugin } from 'esbuild';

const FROM_MANTINE = /import \{([^}]*)\} from ['"]@mantine\/(core|hooks)['"];?/g;
const IMPORT = /import \{([^}]*)\} from "(\.[^"]+)";/g;

/**
 * Adapts the console's modules to how esbuild splits scripts into chunks. It does so in two steps, within one
 * plugin, because esbuild loads a file with the first plugin that accepts it.
 *
 * 1. Parts of Mantine are imported from their own files: `import { Button } from '@mantine/core'` becomes
 * `import { Button } from '…/esm/components/Button/Button.mjs'`. Otherwise, the first script of the console
 * imports the library's index, and with it all parts that any page uses.
 * 2. A page that is loaded on demand gets additional imports of the scripts that are loaded before it. These
 * scripts do not run again, because the browser has already loaded them. esbuild creates a chunk for each set
 * of scripts that share modules. With these imports, a module that a page shares with an earlier script is in
 * the chunk of that script. Without them, the sign-in page loads a dozen chunks.
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
  /** Modules of the console that are loaded on demand, with the module that loads each. */
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
        const earlier = importer === undefined ? [] : listEarlier(root, importer);
        const contents = await importDirectly(addImports(source, earlier), findFile);
        return { contents, loader: getLoader(path), resolveDir: dirname(path) };
      });
    },
  };
}

/** Replaces imports of the index modules of the library Mantine with imports of individual files. */
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

/** Returns the file of each name that an index module of the library exports. */
async function readIndex(folder: string): Promise<Map<string, string>> {
  const index = await readFile(join(folder, 'index.mjs'), 'utf8');
  return new Map(
    [...index.matchAll(IMPORT)].flatMap(([, names = '', file = '']) =>
      splitNames(names).map((name) => [name.split(' as ').at(-1)!, join(folder, file)] as const),
    ),
  );
}

/** Returns the names of the values in an import statement, without types. */
function splitNames(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

/** Modules that the console loads first. Each module imports the next module on demand. */
const FIRST = ['console/app.tsx', 'console/shell/signed-in.tsx', 'console/areas.tsx'];

/**
 * Returns the modules whose scripts the browser loads before the scripts that the given module imports on
 * demand.
 */
function listEarlier(root: string, importer: string): string[] {
  const files = FIRST.map((file) => `${root}${file}`);
  if (importer === files[0]) return files.slice(0, 1);
  return files.slice(0, importer.startsWith(`${root}console/shell/`) ? 2 : 3);
}

/** Adds import statements to the first line of a module's source. */
function addImports(source: string, files: readonly string[]): string {
  return `${files.map((file) => `import ${JSON.stringify(file)};`).join(' ')} ${source}`;
}

function getLoader(path: string): Loader {
  if (path.endsWith('.tsx')) return 'tsx';
  return path.endsWith('.ts') ? 'ts' : 'js';
}
