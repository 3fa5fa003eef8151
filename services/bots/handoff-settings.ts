import { validationError, type ErrorDetail } from '../../core/errors/errors.ts';
import type { HandoffConfig } from '../../core/conversations/handoff-config.ts';
import { TIME_ZONE_RULE } from '../../core/require-time-zone.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { isTimeZone, findTimeZone } from '../../core/time-zone.ts';
import { toMinutes } from '../conversations/handoff-hours.ts';

/**
 * Checks rules for a bot's handoff settings that the JSON schema cannot express.
 * @throws AppError `validation_error` for an unknown time zone, a period that ends before it starts, or
 *   recipients who may not answer visitors
 */
export async function checkHandoffConfig(
  members: MemberRepository,
  scope: OrgScope,
  { hours, notify }: HandoffConfig,
): Promise<void> {
  const faults: ErrorDetail[] = [];
  if (hours && !isTimeZone(hours.timezone))
    faults.push(toHandoffFault(['hours', 'timezone'], TIME_ZONE_RULE));
  for (const [index, { opens, closes }] of (hours?.periods ?? []).entries())
    if (toMinutes(closes) <= toMinutes(opens))
      faults.push(
        toHandoffFault(
          ['hours', 'periods', index, 'closes'],
          'must be later than `opens`; split a night into a period until 24:00 and one from 00:00',
        ),
      );
  if (notify && notify.length > 0) {
    const answeringMembers = await members.listAnswering(scope, notify);
    for (const [index, recipient] of notify.entries())
      if (!answeringMembers.has(recipient.toLowerCase()))
        faults.push(
          toHandoffFault(
            ['notify', index],
            'must be the id or email address of a member who is allowed to answer visitors',
          ),
        );
  }
  if (faults.length > 0) throw validationError(faults);
}

/** Returns the handoff configuration to store, with the official IANA name of its time zone. */
export function normalizeHandoffConfig({ hours, ...config }: HandoffConfig): HandoffConfig {
  if (!hours) return { ...config, ...(hours === null && { hours }) };
  return { ...config, hours: { ...hours, timezone: findTimeZone(hours.timezone) ?? hours.timezone } };
}

function toHandoffFault(steps: (string | number)[], message: string): ErrorDetail {
  const path = ['handoff_config', ...steps];
  const field = path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
  return { field, path, in: 'body', code: 'invalid', message };
}
