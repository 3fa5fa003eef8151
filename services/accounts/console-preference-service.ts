import { invalidField } from '../../core/errors/errors.ts';
import { requireTimeZone } from '../../core/require-time-zone.ts';
import type { Database } from '../../database/database.ts';
import type { ConsolePreference } from '../../entities/accounts/console-preference.entity.ts';
import type { ConsolePreferenceRepository } from '../../repositories/accounts/console-preference.repository.ts';

/**
 * Maximum number of workspaces for which an account's dismissal of the set-up checklist is stored. Beyond it,
 * the oldest dismissals are deleted.
 */
const MAX_DISMISSED = 200;

export type ConsolePreferences = Omit<ConsolePreference, 'userId' | 'dismissedIn' | 'updatedAt'> & {
  /** Whether the user has dismissed the console's set-up checklist in the current workspace. */
  hasDismissedChecklist: boolean;
};

const DEFAULTS: Omit<ConsolePreference, 'userId' | 'updatedAt'> = {
  theme: 'auto',
  timeZone: null,
  notifiesWaiting: false,
  notifiesAssigned: false,
  notifiesReply: false,
  notifiesBySound: false,
  dismissedIn: [],
};

/** A user of the console and their current workspace, which is null if they have none. */
interface Caller {
  db: Database;
  userId: string;
  orgId: string | null;
}

/** Reads and changes the preferences of the console's users. */
export class ConsolePreferenceService {
  readonly #preferences: ConsolePreferenceRepository;

  constructor({ preferences }: { preferences: ConsolePreferenceRepository }) {
    this.#preferences = preferences;
  }

  async get({ db, userId, orgId }: Caller): Promise<ConsolePreferences> {
    return toPreferences((await this.#preferences.find(db, userId)) ?? DEFAULTS, orgId);
  }

  /**
   * Changes the given preferences of a console user; the others remain.
   * @throws AppError `validation_error` for an unknown time zone, and if the checklist is dismissed without a
   *   workspace
   */
  update(
    { db, userId, orgId }: Caller,
    { hasDismissedChecklist, timeZone, ...flags }: Partial<ConsolePreferences>,
  ): Promise<ConsolePreferences> {
    return db.transaction(async (tx) => {
      const { dismissedIn } = await this.#preferences.upsertLocked(tx, userId);
      await this.#preferences.update(tx, userId, {
        ...flags,
        ...(timeZone !== undefined && { timeZone: timeZone && requireTimeZone(timeZone, 'time_zone') }),
        ...(hasDismissedChecklist !== undefined && {
          dismissedIn: changeDismissed(dismissedIn, orgId, hasDismissedChecklist),
        }),
      });
      return this.get({ db: tx, userId, orgId });
    });
  }
}

function changeDismissed(ids: readonly string[], orgId: string | null, isDismissed: boolean): string[] {
  if (orgId === null)
    throw invalidField('has_dismissed_checklist', 'needs a workspace; create one, or ask for an invitation');
  const otherIds = ids.filter((id) => id !== orgId);
  return isDismissed ? [...otherIds, orgId].slice(-MAX_DISMISSED) : otherIds;
}

function toPreferences(
  {
    theme,
    timeZone,
    notifiesWaiting,
    notifiesAssigned,
    notifiesReply,
    notifiesBySound,
    dismissedIn,
  }: typeof DEFAULTS,
  orgId: string | null,
): ConsolePreferences {
  return {
    theme,
    timeZone,
    notifiesWaiting,
    notifiesAssigned,
    notifiesReply,
    notifiesBySound,
    hasDismissedChecklist: orgId !== null && dismissedIn.includes(orgId),
  };
}
