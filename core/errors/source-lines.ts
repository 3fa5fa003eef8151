import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** URL of the folder that contains Parley's build. */
const BUILD_ROOT = new URL('../../', import.meta.url).href;
/** URLs of the folders whose compiled files have a source map beside them. */
const roots: string[] = [];

const maps = new Map<string, SourceMap | null>();

/**
 * Makes stack traces show lines of the TypeScript sources. Unlike Node's `--enable-source-maps`, loads a
 * source map only when an error needs it. Node's option would cost 10 to 16 MB of memory even without errors.
 * @param furtherRoots URLs of compiled folders other than the build
 */
export function mapStackTraces(...furtherRoots: string[]): void {
  roots.push(BUILD_ROOT, ...furtherRoots);
  Error.prepareStackTrace = (error, sites) =>
    [formatHead(error), ...sites.map(formatCallSite)].join('\n    at ');
}

function formatHead(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

function formatCallSite(site: NodeJS.CallSite): string {
  // oxlint-disable-next-line typescript/no-base-to-string -- V8 defines it, but the types do not declare it
  const position = site.toString();
  const file = site.getFileName();
  const line = site.getLineNumber() ?? 0;
  const column = site.getColumnNumber() ?? 0;
  if (!file || !roots.some((root) => file.startsWith(root))) return position;
  const origin = loadSourceMap(file)?.findEntry(line - 1, column - 1);
  if (!origin || !('originalSource' in origin)) return position;
  const source = fileURLToPath(new URL(origin.originalSource, file));
  const sourcePosition = `${source}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
  return position.replace(`${file}:${line}:${column}`, sourcePosition);
}

function loadSourceMap(file: string): SourceMap | null {
  let map = maps.get(file);
  if (map === undefined) maps.set(file, (map = readMap(file)));
  return map;
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}
