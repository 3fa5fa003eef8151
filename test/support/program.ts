import { fileURLToPath } from 'node:url';

export interface ProgramOptions {
  /** How far its clock is wrong. */
  clockAheadMs?: number;
}

/** What to start Node with to run the API or the worker, as they were built. */
export function programArguments(
  name: 'api' | 'worker',
  { clockAheadMs = 0 }: ProgramOptions = {},
): string[] {
  return [
    ...(clockAheadMs === 0 ? [] : ['--import', shiftedClock(clockAheadMs)]),
    fileURLToPath(new URL(`../../dist/${name}/main.js`, import.meta.url)),
  ];
}

function shiftedClock(aheadMs: number): string {
  const code = `
    const real = Date;
    const now = () => real.now() + ${aheadMs};
    globalThis.Date = new Proxy(real, {
      construct: (_, values, target) => Reflect.construct(real, values.length ? values : [now()], target),
      get: (_, key) => (key === 'now' ? now : Reflect.get(real, key)),
    });`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
