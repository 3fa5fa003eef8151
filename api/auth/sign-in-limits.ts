import type { Services } from '../../services/services.ts';
import { budgetAddress } from '../http/client-address.ts';
import type { RequestContext } from '../http/principal.ts';

const WINDOW_SECONDS = 5 * 60;

/** Of an address from where somebody tries to get into accounts. */
export const guessLimit = async ({ ctx }: { ctx: RequestContext }, { settings }: Services) => [
  {
    key: `sign-in-from:${budgetAddress(ctx.ip)}`,
    limit: settings.signInLimitPerIp,
    windowSeconds: WINDOW_SECONDS,
    refusal: 'There were too many attempts from your address',
  },
];

/** Of an address from where somebody makes us write mails. */
export const mailLimit = async ({ ctx }: { ctx: RequestContext }, { settings }: Services) => [
  {
    key: `account-mail-from:${budgetAddress(ctx.ip)}`,
    limit: settings.accountMailLimit,
    windowSeconds: WINDOW_SECONDS,
    refusal: 'Too many mails were asked for from your address',
  },
];
