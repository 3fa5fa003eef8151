import { invalidField } from '../../core/errors/errors.ts';
import { describeFreeFormExcess } from '../../core/free-form.ts';
import type { OrgSettings } from '../../entities/team/org.entity.ts';

/** Changes of a workspace's settings, by name. The value null removes a setting. */
export type OrgSettingsChanges = { [K in keyof OrgSettings]?: OrgSettings[K] | null };

const DOCUMENTED = { default_language: true, time_zone: true } satisfies Record<keyof OrgSettings, true>;

/**
 * Returns a workspace's settings after the changes. A changed setting is replaced as a whole; its value is
 * not merged.
 * @throws AppError `validation_error` if the settings unknown to Parley exceed their common size limit
 */
export function mergeOrgSettings(current: OrgSettings, changes: OrgSettingsChanges): OrgSettings {
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(([, value]) => value !== null),
  );
  const excess = describeFreeFormExcess(merged, DOCUMENTED);
  if (excess) throw invalidField('settings', `${excess}, including the stored ones; null removes a key`);
  return merged;
}
