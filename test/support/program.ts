import { fileURLToPath } from 'node:url';

export interface ProgramOptions {
  /** Run what `npm test` has compiled, which starts faster than the sources. */
  isCompiled?: boolean;
  /** How far its clock is wrong. */
  clockAheadMs?: number;
}

/** What to start Node with to run the API or the worker. */
export function programArguments(
  name: 'api' | 'worker',
  { isCompiled = false, clockAheadMs = 0 }: ProgramOptions = {},
): string[] {
  const file = isCompiled ? `../../dist/${name}/main.js` : `../../${name}/main.ts`;
  return [
    ...(isCompiled ? [] : ['--import', 'tsx']),
    ...(clockAheadMs === 0 ? [] : ['--import', shiftedClock(clockAheadMs)]),
    fileURLToPath(new URL(file, import.meta.url)),
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
