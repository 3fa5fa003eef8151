import { fixedValues, type FixedValues } from '../../core/settings/fixed-values.ts';
import { loadSettings, type Settings } from '../../core/settings/settings.ts';

/** Variables of the environment by their names, and other values than the fixed ones by theirs. */
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

/** The fixed values that these settings have in place of the usual ones. */
export function changedValues(settings: Settings): Partial<FixedValues> {
  const names = Object.keys(fixedValues) as (keyof FixedValues)[];
  return Object.fromEntries(
    names.filter((name) => settings[name] !== fixedValues[name]).map((name) => [name, settings[name]]),
  );
}
