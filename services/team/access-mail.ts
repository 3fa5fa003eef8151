import { buildConsoleLink } from '../../core/console-link.ts';
import { groupItems } from '../../core/group-items.ts';
import { interleave } from '../../core/interleave.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { NoticeReader } from '../../repositories/mail/notice.sql.ts';
import type { MailData } from '../mail/rendering/mail-templates.ts';
import { composeSubject } from '../mail/rendering/render-mail.ts';
import type { ConsolePage } from './access-words.ts';

/**
 * Content of an email about a change of access to a workspace. It is stored encrypted until the email is
 * sent.
 */
export interface NoticeContent {
  subject: string;
  orgId: string;
  orgName: string;
  items: string[];
  page: ConsolePage;
  /** Account id of the person whose session made the change; null for an API key. */
  actorId: string | null;
  actor: string;
  keyName: string | null;
  place: string;
  /** Time of the change of access in ISO 8601. */
  at: string;
}

/** Maximum number of lines in an email about several changes of access. */
const MAX_LINES = 200;
const MAX_PLACES = 3;

/**
 * Composes an email about one change of access, or about several changes with the same credential.
 * @param contents changes, oldest first; at least one change
 */
export function buildAccessMail(
  { userId, fullName: name }: Pick<NoticeReader, 'userId' | 'fullName'>,
  contents: readonly NoticeContent[],
  { baseUrl }: Pick<Settings, 'baseUrl'>,
): MailData['access_notice'] {
  const last = contents.at(-1)!;
  const isOwn = last.actorId === userId;
  const link = buildConsoleLink(baseUrl, last.orgId, last.page.path);
  return {
    name,
    ...(contents.length === 1 ? describeChange(last) : describeChanges(contents)),
    actor: last.actor,
    place: formatPlaces(contents),
    at: new Date(last.at),
    advice: isOwn ? adviseActor(last) : adviseOthers(last),
    button: isOwn ? 'Set a new password' : `Open the page “${last.page.name}”`,
    link: isOwn ? `${baseUrl}/forgot-password` : link,
  };
}

function describeChange({ subject, orgName, items }: NoticeContent) {
  return { subject, intro: `This was done in the workspace ${orgName}:`, items };
}

function describeChanges(contents: readonly NoticeContent[]) {
  const { orgName } = contents[0]!;
  const shown = pickAcrossPages(contents, MAX_LINES);
  const hiddenCount = contents.length - shown.length;
  const maxItems = computeShare(
    shown.map(({ items }) => items.length),
    MAX_LINES,
  );
  return {
    subject: composeSubject((org) => `${contents.length} more access changes in ${org}`, orgName),
    intro: `After the change that you were emailed about, this was done in the workspace ${orgName}:`,
    items: [
      ...(hiddenCount > 0 ? [`${hiddenCount} further changes, which the audit log lists.`] : []),
      ...shown.flatMap(({ items, at }) =>
        shortenItems(items, maxItems).map((item) => `${at.slice(11, 16)} UTC: ${item}`),
      ),
    ],
  };
}

/**
 * Picks the newest changes of each page of the console in turn, so that many changes of one kind hide no
 * other change. Returns the changes in their original order.
 */
function pickAcrossPages(contents: readonly NoticeContent[], count: number): NoticeContent[] {
  const byPage = groupItems(contents, ({ page }) => page.path.join('/')).map(([, changes]) =>
    changes.toReversed(),
  );
  const picked = new Set(interleave(byPage).slice(0, count));
  return contents.filter((change) => picked.has(change));
}

/**
 * Returns the largest number of lines that each change may have in an email, so that all together stay within
 * `total`.
 */
function computeShare(counts: readonly number[], total: number): number {
  let share = total;
  while (share > 1 && counts.reduce((sum, count) => sum + Math.min(count, share), 0) > total) share -= 1;
  return share;
}

/**
 * Keeps the first and the last lines about a change, since endpoints and keys stand at the end of a bot's
 * changes.
 */
function shortenItems(items: readonly string[], maxItems: number): string[] {
  if (items.length <= maxItems) return [...items];
  const first = items.slice(0, Math.floor(maxItems / 2));
  const [next = '', ...last] = items.slice(first.length - maxItems);
  return [...first, `(${items.length - maxItems} more) ${next}`, ...last];
}

function formatPlaces(contents: readonly NoticeContent[]): string {
  const places = [...new Set(contents.map(({ place }) => place))];
  const listedPlaces = places.slice(0, MAX_PLACES).join('; ');
  return places.length > MAX_PLACES ? `${listedPlaces} and ${places.length - MAX_PLACES} more` : listedPlaces;
}

function adviseActor({ page }: NoticeContent): string {
  return `If it was not you, set a new password immediately, and choose to revoke API keys and unlink identity providers, too. Then ${describeRemedy(page)}.`;
}

function adviseOthers({ page, keyName, actorId }: NoticeContent): string {
  const remedy = describeRemedy(page);
  const unwanted = 'If your team did not mean to do this,';
  if (keyName !== null) return `${unwanted} ${remedy}, and revoke the API key “${keyName}”.`;
  if (actorId === null) return `${unwanted} ${remedy}.`;
  return `${unwanted} ${remedy}, and ask the person above to set a new password.`;
}

function describeRemedy({ name, remedy }: ConsolePage): string {
  return `${remedy} on the page “${name}” of the console`;
}
