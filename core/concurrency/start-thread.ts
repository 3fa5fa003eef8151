import { Worker, type WorkerOptions } from 'node:worker_threads';

const isSource = import.meta.url.endsWith('.ts');
/** Registers tsx, which runs the sources in development, in the thread as well. */
const execArgv = isSource
  ? [
      '--import',
      `data:text/javascript,import{register}from${JSON.stringify(import.meta.resolve('tsx/esm/api'))};register()`,
    ]
  : [];

/**
 * Runs a module as a thread.
 * @param module path without its extension, which differs between source and build
 * @param base `import.meta.url` to which `module` is relative
 */
export function startThread(module: string, base: string, options: WorkerOptions = {}): Worker {
  return new Worker(new URL(`${module}.${isSource ? 'ts' : 'js'}`, base), { execArgv, ...options });
}
