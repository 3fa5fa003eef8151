import { fileURLToPath } from 'node:url';
import type { FixedValues } from '../../core/settings/fixed-values.ts';

export interface ProgramOptions {
  /** Milliseconds by which the program's clock is ahead of the real time. */
  clockAheadMs?: number;
  /** Values that replace fixed values of Parley, which have no environment variable. */
  values?: Partial<FixedValues>;
}

/** Returns the arguments with which Node runs the built API or worker. */
export function buildProgramArguments(
  name: 'api' | 'worker',
  { clockAheadMs = 0, values = {} }: ProgramOptions = {},
): string[] {
  return [
    ...(clockAheadMs === 0 ? [] : ['--import', buildClockModule(clockAheadMs)]),
    ...(Object.keys(values).length === 0 ? [] : ['--import', buildValuesModule(values)]),
    fileURLToPath(new URL(`../../dist/${name}/main.js`, import.meta.url)),
  ];
}

/**
 * Builds environment variables with which a built program and its child processes use these values instead of
 * Parley's fixed values.
 */
export function buildEnvironment(values: Partial<FixedValues>): Record<string, string> {
  return Object.keys(values).length === 0 ? {} : { NODE_OPTIONS: `--import=${buildValuesModule(values)}` };
}

function buildValuesModule(values: Partial<FixedValues>): string {
  const module = new URL('../../dist/core/settings/fixed-values.js', import.meta.url);
  return toDataUrl(`
    import { fixedValues } from ${JSON.stringify(module)};
    Object.assign(fixedValues, ${JSON.stringify(values)});`);
}

function buildClockModule(aheadMs: number): string {
  const code = `
    const real = Date;
    const now = () => real.now() + ${aheadMs};
    globalThis.Date = new Proxy(real, {
      construct: (_, values, target) => Reflect.construct(real, values.length ? values : [now()], target),
      get: (_, key) => (key === 'now' ? now : Reflect.get(real, key)),
    });`;
  return toDataUrl(code);
}

function toDataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
