import { invalidField } from '../../core/errors/errors.ts';
import { describeFreeFormExcess } from '../../core/free-form.ts';
import type { OrgSettings } from '../../entities/team/org.entity.ts';

/** Changes of settings: a key that is null is removed. */
export type OrgSettingsChanges = { [K in keyof OrgSettings]?: OrgSettings[K] | null };

const DOCUMENTED = { default_language: true, time_zone: true } satisfies Record<keyof OrgSettings, true>;

/**
 * Returns the settings with the changes applied key by key. What a key contains is replaced as a whole.
 * @throws AppError `validation_error` if the keys that are not documented exceed their bounds together
 */
export function mergeOrgSettings(present: OrgSettings, changes: OrgSettingsChanges): OrgSettings {
  const merged = Object.fromEntries(
    Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null),
  );
  const excess = describeFreeFormExcess(merged, DOCUMENTED);
  if (excess) throw invalidField('settings', `${excess}, those that are stored included; null removes a key`);
  return merged;
}
