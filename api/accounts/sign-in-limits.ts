import type { Settings } from '../../core/settings/settings.ts';
import type { Limit } from '../../services/requests/rate-limiter.ts';
import type { Services } from '../../services/services.ts';
import { budgetAddress } from '../http/access/client-address.ts';
import type { RequestContext } from '../http/access/principal.ts';

const WINDOW_SECONDS = 5 * 60;
/** Of the mails that one mail address gets: several people may sit behind one IP address. */
const MAIL_ADDRESSES_PER_IP = 4;

/** What makes us write mails, each with its setting and a budget of its own. */
const mailAsks = {
  registration: 'registrationLimitPerIp',
  verification: 'verificationMailLimitPerIp',
  reset: 'resetMailLimitPerIp',
  code: 'codeMailLimitPerIp',
} as const satisfies Record<string, keyof Settings>;

/** Of an address from where somebody makes us write mails of this kind. */
export function mailLimit(kind: keyof typeof mailAsks) {
  return async ({ ctx }: { ctx: RequestContext }, { settings }: Services): Promise<Limit[]> => [
    {
      key: `${kind}-mail-from:${budgetAddress(ctx.ip)}`,
      limit: settings[mailAsks[kind]] ?? MAIL_ADDRESSES_PER_IP * settings.accountMailLimit,
      windowSeconds: WINDOW_SECONDS,
      refusal: 'Too many mails were asked for from your address',
    },
  ];
}
