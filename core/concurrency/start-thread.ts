import { Worker, type WorkerOptions } from 'node:worker_threads';

const isSource = import.meta.url.endsWith('.ts');
/** Options of Node that register tsx in the thread during development, where Node runs TypeScript sources. */
const execArgv = isSource
  ? [
      '--import',
      `data:text/javascript,import{register}from${JSON.stringify(import.meta.resolve('tsx/esm/api'))};register()`,
    ]
  : [];

/**
 * Starts a worker thread that runs a module.
 * @param module path of the module without extension: `.ts` in the sources, `.js` in the build
 * @param base `import.meta.url` to which the path is relative
 */
export function startThread(module: string, base: string, options: WorkerOptions = {}): Worker {
  return new Worker(new URL(`${module}.${isSource ? 'ts' : 'js'}`, base), { execArgv, ...options });
}
