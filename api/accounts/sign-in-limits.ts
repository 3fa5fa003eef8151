import type { Limit } from '../../services/requests/rate-limiter.ts';
import type { Services } from '../../services/services.ts';
import { limitByAddress } from '../http/limits/address-limits.ts';
import type { RequestContext } from '../http/access/principal.ts';

const WINDOW_SECONDS = 5 * 60;
/** Ratio of the limits per IP address and per mail address: several people may share one IP address. */
const MAIL_ADDRESSES_PER_IP = 4;

/** Requests that send mails, each with a separate budget. */
type MailKind = 'registration' | 'verification' | 'reset' | 'code';

/** Limit of mails of this kind per requesting IP address. */
export function mailLimit(kind: MailKind) {
  return async ({ ctx }: { ctx: RequestContext }, { settings }: Services): Promise<Limit[]> =>
    limitByAddress(ctx.ip, {
      key: `${kind}-mail-from`,
      limit: MAIL_ADDRESSES_PER_IP * settings.accountMailLimit,
      windowSeconds: WINDOW_SECONDS,
      refusal: 'Too many mails were asked for from your address',
    });
}
