import { buildConsoleLink } from '../../core/console-link.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { NoticeReader } from '../../repositories/mail/notice.sql.ts';
import type { MailData } from '../mail/rendering/mail-templates.ts';
import { composeSubject } from '../mail/rendering/render-mail.ts';
import type { ConsolePage } from './access-words.ts';

/** Content of an email about a change of access. It is stored encrypted until the email is sent. */
export interface NoticeContent {
  subject: string;
  orgId: string;
  orgName: string;
  items: string[];
  page: ConsolePage;
  /** Account id of the person whose session was used; null for an API key. */
  actorId: string | null;
  actor: string;
  keyName: string | null;
  place: string;
  /** Time of the change in ISO 8601. */
  at: string;
}

/** Maximum number of lines in an email. The last ones are shown, since they say what holds now. */
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
  const lines = contents.flatMap(({ items, at }) => items.map((item) => `${at.slice(11, 16)} UTC: ${item}`));
  const hiddenCount = lines.length - MAX_LINES;
  return {
    subject: composeSubject((org) => `${contents.length} more access changes in ${org}`, orgName),
    intro: `After the change that you were emailed about, this was done in the workspace ${orgName}:`,
    items: [
      ...(hiddenCount > 0 ? [`${hiddenCount} earlier changes, which the audit log lists.`] : []),
      ...lines.slice(-MAX_LINES),
    ],
  };
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
