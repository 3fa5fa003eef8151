import { fixedValues, type FixedValues } from '../../core/settings/fixed-values.ts';
import { loadSettings, type Settings } from '../../core/settings/settings.ts';

/** Environment variables of a test's Parley, and values that replace Parley's fixed values, by name. */
export type TestSettings = Partial<FixedValues> & { [variable: Uppercase<string>]: string | undefined };

export function splitSettings(settings: TestSettings) {
  const entries = Object.entries(settings) as [string, unknown][];
  return {
    env: Object.fromEntries(entries.filter(([name]) => !(name in fixedValues))) as Record<string, string>,
    values: Object.fromEntries(entries.filter(([name]) => name in fixedValues)) as Partial<FixedValues>,
  };
}

export function loadTestSettings(settings: TestSettings): Settings {
  const { env, values } = splitSettings(settings);
  return loadSettings(env, values);
}

/** Returns the fixed values of Parley that these settings replace. */
export function findChangedValues(settings: Settings): Partial<FixedValues> {
  const names = Object.keys(fixedValues) as (keyof FixedValues)[];
  return Object.fromEntries(
    names.filter((name) => settings[name] !== fixedValues[name]).map((name) => [name, settings[name]]),
  );
}
