import type { Limit } from '../../services/requests/rate-limiter.ts';
import type { Services } from '../../services/services.ts';
import { limitByAddress } from '../http/limits/address-limits.ts';
import type { RequestContext } from '../http/access/principal.ts';

const WINDOW_SECONDS = 5 * 60;
/**
 * Ratio of the limit per IP address to that per email address, since several people may share an IP address.
 */
const MAIL_ADDRESSES_PER_IP = 4;

/** Kinds of requests that send emails. Each kind has a separate budget. */
type MailKind = 'registration' | 'verification' | 'reset' | 'code';

/** Creates the limit of the emails of one kind that requests from an IP address may cause. */
export function mailLimit(kind: MailKind) {
  return async ({ ctx }: { ctx: RequestContext }, { settings }: Services): Promise<Limit[]> =>
    limitByAddress(ctx.ip, {
      key: `${kind}-mail-from`,
      limit: MAIL_ADDRESSES_PER_IP * settings.accountMailLimit,
      windowSeconds: WINDOW_SECONDS,
      refusal: 'Too many emails were requested from your IP address',
    });
}
