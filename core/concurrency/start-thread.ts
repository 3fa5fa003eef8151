import { Worker, type WorkerOptions } from 'node:worker_threads';

const isSource = import.meta.url.endsWith('.ts');
/** tsx, which runs the sources in development, does not reach into threads by itself. */
const execArgv = isSource
  ? [
      '--import',
      `data:text/javascript,import{register}from${JSON.stringify(import.meta.resolve('tsx/esm/api'))};register()`,
    ]
  : [];

/**
 * Runs a module as a thread.
 * @param module without the ending that its source and its compiled form do not share
 * @param base the `import.meta.url` that it is relative to
 */
export function startThread(module: string, base: string, options: WorkerOptions = {}): Worker {
  return new Worker(new URL(`${module}.${isSource ? 'ts' : 'js'}`, base), { execArgv, ...options });
}
