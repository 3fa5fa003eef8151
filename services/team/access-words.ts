import { cutText } from '../../core/text/cut-text.ts';
import type { KeyServiceConfig } from '../../core/encryption/key-service-config.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { findNewExposures, type FlowExposure } from '../flows/flow-exposures.ts';
import type { AccountNotice } from '../accounts/account-notices.ts';
import type { ExportInput } from '../archive/archive-job-service.ts';
import { composeSubject } from '../mail/rendering/render-mail.ts';

/**
 * Page of the console where an owner can undo an unwanted change of access. `remedy` says what to do there.
 */
export interface ConsolePage {
  name: string;
  path: readonly string[];
  remedy: string;
}

/** Texts of an email about a change that gives lasting access or exports content. */
export interface AccessNotice {
  /** @param org name of the workspace */
  subject(org: string): string;
  /** Lines of the email that describe the changes. */
  items: readonly string[];
  page: ConsolePage;
  /**
   * Email that the actor gets instead of this email. `mailed` if another service has emailed the actor
   * already.
   */
  person?: AccountNotice | 'mailed';
  /** Value `actor` to send the email only to the actor, because the owners get an email of another kind. */
  readers?: 'actor';
  /** Ids of users who do not get this email, because they get an email of another kind. */
  except?: readonly string[];
  /** Id of another workspace whose owners get the email as well. */
  otherOrgId?: string;
}

const MAX_SCOPES = 5;

const definePage = (name: string, path: readonly string[], remedy: string): ConsolePage => ({
  name,
  path,
  remedy,
});
const pages = {
  team: definePage('Team', ['team'], 'check the members and their roles'),
  invitations: definePage('Invitations', ['team', 'invitations'], 'revoke the invitation'),
  keys: definePage('API keys', ['team', 'keys'], 'revoke the key'),
  webhooks: definePage('Webhooks', ['webhooks'], 'remove the endpoint'),
  billing: definePage('Billing', ['billing'], 'correct the address for invoices'),
  alerts: definePage('Alerts', ['alerts'], 'remove the alerts to this destination'),
  calendar: definePage('Calendar', ['bookings', 'calendar'], 'disconnect the calendar'),
  encryption: definePage('Encryption', ['encryption'], 'check the mode and the key service'),
  archive: definePage('Archive', ['archive'], 'check the exports and imports'),
  bot: (id: string) => definePage('Bots', ['bots', id], 'check the settings of the bot'),
  flow: (botId: string, id: string) =>
    definePage('Flows', ['bots', botId, 'flows', id], 'deactivate the flow'),
};

const inWorkspace = (what: string) => (org: string) => composeSubject((name) => `${what} in ${name}`, org);
const aroundName = (before: string, after: string) => (org: string) =>
  composeSubject((name) => `${before} ${name} ${after}`, org);

interface Person {
  full_name: string;
  email: string;
}

type Endpoint = Pick<Webhook, 'url' | 'events' | 'botId' | 'isActive'>;

type BotModel = Pick<Bot, 'customEndpointConfig'>;
/** Settings of a bot that decide who receives its conversations, and who may start a conversation. */
type BotAccess = BotModel & Pick<Bot, 'isPublic' | 'allowedDomains'>;

interface NewSecrets {
  api_key?: string | null;
  custom_endpoint_config?: { auth_header_value?: string | null } | null;
  rotate_identity_secret?: object | null;
}

/**
 * Maximum number of characters of a URL or address that an email about access shows, enough to recognize the
 * service and account. A URL may have 2,000.
 */
const MAX_TARGET_LENGTH = 300;

const formatPerson = ({ full_name: name, email }: Person): string => `${name} (${email})`;

/** Functions that compose the email's texts for each kind of change of access. */
export const accessWords = {
  invited: (email: string, role: string): AccessNotice => ({
    subject: inWorkspace('An invitation was sent'),
    items: [`Invited: ${email}, as ${role}.`],
    page: pages.invitations,
  }),
  invitationResent: (email: string, role: string): AccessNotice => ({
    subject: inWorkspace('An invitation was sent again'),
    items: [`New link for ${email}, invited as ${role}.`],
    page: pages.invitations,
  }),
  roleChanged: (member: Person & { role: string }): AccessNotice => ({
    subject: inWorkspace('A role was changed'),
    items: [`${formatPerson(member)} now has the role ${member.role}.`],
    page: pages.team,
  }),
  memberRemoved: (member: Person & { role: string }, isLeaving: boolean): AccessNotice => ({
    subject: inWorkspace(isLeaving ? 'A member has left' : 'A member was removed'),
    items: [`${formatPerson(member)}, whose role was ${member.role}.`],
    page: pages.team,
  }),
  ownershipTransferred: (newOwner: Person & { user_id: string }): AccessNotice => ({
    subject: inWorkspace('Ownership was transferred'),
    items: [`${formatPerson(newOwner)} is now an owner, in place of the person who did this.`],
    page: pages.team,
    except: [newOwner.user_id],
  }),
  workspaceDeleted: (): AccessNotice => ({
    subject: aroundName('The workspace', 'was deleted'),
    items: ['Everything in the workspace is being removed.'],
    page: pages.team,
    readers: 'actor',
  }),
  keyCreated: (key: { name: string; scopes: readonly string[] }): AccessNotice => ({
    subject: inWorkspace('An API key was created'),
    items: [`“${key.name}”, with the scopes ${formatList(key.scopes)}.`],
    page: pages.keys,
  }),
  /** @param device name and IP address of the approved device */
  deviceApproved: (
    device: { client_name: string; ip_address: string },
    scopes: readonly string[],
  ): AccessNotice => ({
    subject: inWorkspace('An API key was approved for a device'),
    items: [
      `“${device.client_name}” at ${device.ip_address} can collect a key with the scopes ${formatList(scopes)}.`,
    ],
    page: pages.keys,
  }),
  keyRotated: ({ name }: { name: string }): AccessNotice => ({
    subject: inWorkspace('An API key was replaced'),
    items: [`“${name}”: a new key replaces the previous one.`],
    page: pages.keys,
  }),
  /** @param service the workspace's new key service; null if the key service was removed */
  keyServiceSet: (service: KeyServiceConfig | null): AccessNotice => ({
    subject: inWorkspace(service === null ? 'The key service was removed' : 'The key service was set'),
    items: [service === null ? 'The workspace now has no key service.' : describeKeyService(service)],
    page: pages.encryption,
  }),
  encryptionSwitched: (mode: string): AccessNotice => ({
    subject: inWorkspace('The encryption mode was changed'),
    items: [`Mode: ${mode}.`],
    page: pages.encryption,
  }),
  encryptionRotated: (): AccessNotice => ({
    subject: inWorkspace('The encryption key was replaced'),
    items: ['Content is sealed with a new key of the workspace.'],
    page: pages.encryption,
  }),
  archiveRequested: (selection: ExportInput): AccessNotice => ({
    subject: aroundName('An archive of', 'was requested'),
    items: [describeExport(selection)],
    page: pages.archive,
  }),
  archiveImported: (): AccessNotice => ({
    subject: inWorkspace('An archive was imported'),
    items: ['It adds conversations, bots and contacts. Replies are sent to the addresses of these contacts.'],
    page: pages.archive,
  }),
  archiveLinked: (jobId: string, part: number): AccessNotice => ({
    subject: aroundName('An archive of', 'was downloaded'),
    items: [`Link to part ${part} of the export ${jobId}.`],
    page: pages.archive,
  }),
  contactsExported: (filters: object): AccessNotice => {
    const names = Object.keys(filters).join(', ');
    return {
      subject: aroundName('Contacts of', 'were exported'),
      items: [`CSV file of ${names === '' ? 'all contacts' : `contacts, filtered by ${names}`}.`],
      page: pages.team,
    };
  },
  endpointAdded: ({ url, events }: { url: string; events: readonly string[] }): AccessNotice => ({
    subject: inWorkspace('A webhook endpoint was added'),
    items: [`${url} receives ${formatList(events)}.`],
    page: pages.webhooks,
  }),
  /**
   * Describes changes of a webhook endpoint. Returns null if the change sends the endpoint no additional
   * data.
   */
  endpointChanged: (previous: Endpoint, now: Endpoint): AccessNotice | null => {
    const { url } = now;
    const added = now.events.filter((event) => !previous.events.includes(event));
    const items = [
      ...(url === previous.url ? [] : [`Events are sent to ${url} instead of ${previous.url}`]),
      ...(now.isActive && !previous.isActive ? [`Sending was switched on: ${url}`] : []),
      ...(now.botId === previous.botId
        ? []
        : [`Events of ${now.botId === null ? 'all bots' : 'another bot'} are sent to ${url}`]),
      ...(added.length === 0 ? [] : [`${url} also receives ${formatList(added)}.`]),
    ];
    if (items.length === 0) return null;
    return { subject: inWorkspace('A webhook endpoint was changed'), items, page: pages.webhooks };
  },
  endpointSecretRotated: (url: string): AccessNotice => ({
    subject: inWorkspace('The signing secret of a webhook endpoint was replaced'),
    items: [`Endpoint: ${url}`],
    page: pages.webhooks,
  }),
  destinationConnected: (channel: string, destination: string): AccessNotice => ({
    subject: inWorkspace('A destination of alerts was connected'),
    items: [`${channel}: ${destination}.`],
    page: pages.alerts,
  }),
  destinationUsed: (channel: string, destination: string): AccessNotice => ({
    subject: inWorkspace('Alerts are sent to another destination'),
    items: [`${channel}: alerts are sent to ${destination}.`],
    page: pages.alerts,
  }),
  /**
   * Describes a changed email address for invoices. Returns null if it has not changed.
   * @param previous previous address; empty if none was set @param now new address; empty if none
   *   is set
   */
  invoicesRedirected: (previous: string, now: string): AccessNotice | null => {
    if (now === previous) return null;
    const instead = previous === '' ? '' : ` instead of ${previous}`;
    return {
      subject: inWorkspace('The address for invoices was changed'),
      items: [
        now === '' ? `Invoices are no longer sent to ${previous}.` : `Invoices are sent to ${now}${instead}.`,
      ],
      page: pages.billing,
    };
  },
  calendarConnected: (account: string, provider: string): AccessNotice => ({
    subject: inWorkspace('A calendar was connected'),
    items: [`Meetings are written to ${account} (${provider}).`],
    page: pages.calendar,
  }),
  /**
   * Describes changes of who can use a bot. Returns null if the change opens neither the bot nor its
   * conversations, and does not change who can sign for its visitors.
   * @param previous settings before the change; null for a new bot
   * @param newSecrets secrets in the request; each counts as changed, since secrets are not compared
   * @param exposures steps of flows that contain the bot's name or language, which has changed
   */
  botAccessChanged: (
    previous: BotAccess | null,
    bot: BotAccess & Pick<Bot, 'id' | 'name'>,
    newSecrets: NewSecrets,
    exposures: readonly FlowExposure[] = [],
  ) => {
    const items = [
      ...new Set(exposures.map((each) => `A flow of “${bot.name}” changed: it ${describeExposure(each)}`)),
      ...(previous === null ? [] : listAudienceItems(previous, bot)),
      ...listEndpointItems(previous, bot, newSecrets),
      ...(newSecrets.api_key ? [`“${bot.name}” has a new API key for its model’s provider.`] : []),
      ...(newSecrets.rotate_identity_secret ? [`“${bot.name}” has a new identity secret.`] : []),
    ];
    if (items.length === 0) return null;
    return {
      subject: inWorkspace('Access to a bot was changed'),
      items,
      page: pages.bot(bot.id),
    };
  },
  /** @param copied description of the parts that were copied with the bot */
  botCopied: (
    source: Pick<Bot, 'id' | 'name'>,
    copy: BotModel & Pick<Bot, 'orgId' | 'name'>,
    { target, copied }: { target: string; copied: string },
  ): AccessNotice => ({
    subject: aroundName('A bot of', 'was copied to another workspace'),
    items: [
      `“${source.name}” was copied to the workspace “${target}” as “${copy.name}”, with ${copied}.`,
      ...listEndpointItems(null, copy, {}),
    ],
    page: pages.bot(source.id),
    otherOrgId: copy.orgId,
  }),
  /**
   * Describes new steps of a flow by which words of conversations leave the workspace. Returns null if the
   * flow has no new step of this kind.
   */
  flowExposuresChanged: (
    flow: { id: string; botId: string; name: string },
    previous: readonly FlowExposure[],
    now: readonly FlowExposure[],
  ): AccessNotice | null => {
    const knownTargets = new Set(previous.map(({ target }) => target));
    const items = findNewExposures(previous, now).map((each) =>
      each.kind === 'request' && knownTargets.has(each.target)
        ? `“${flow.name}” sends other headers, another body or other values to ${shorten(each.target)}`
        : `“${flow.name}” ${describeExposure(each)}`,
    );
    if (items.length === 0) return null;
    return {
      subject: inWorkspace('The data that a flow sends was changed'),
      items: [...new Set(items)],
      page: pages.flow(flow.botId, flow.id),
    };
  },
  identityLinked: (provider: string, person: AccountNotice): AccessNotice => ({
    subject: inWorkspace('A way to sign in was added to an account'),
    items: [`The person below can sign in with ${provider}.`],
    page: pages.team,
    person,
  }),
  identityUnlinked: (provider: string, person: AccountNotice): AccessNotice => ({
    subject: inWorkspace('A way to sign in was removed from an account'),
    items: [`The person below can no longer sign in with ${provider}.`],
    page: pages.team,
    person,
  }),
  factorSwitched: (isOn: boolean): AccessNotice => ({
    subject: inWorkspace(`A second factor was turned ${isOn ? 'on' : 'off'}`),
    items: [`The account of the person below now has ${isOn ? 'a' : 'no'} second factor.`],
    page: pages.team,
    person: 'mailed',
  }),
  recoveryCodesRenewed: (person: AccountNotice): AccessNotice => ({
    subject: inWorkspace('Recovery codes of an account were replaced'),
    items: ['The person below has new recovery codes; the previous ones no longer work.'],
    page: pages.team,
    person,
  }),
};

/** Formats an alert destination, a chat or phone number, with its name if that is known. */
export function formatDestination(destination: string, name: string | null): string {
  return name === null ? destination : `${name} (${destination})`;
}

/** @param previous settings of the bot's endpoint before the change; null for a new bot */
function listEndpointItems(
  previous: BotModel | null,
  bot: BotModel & Pick<Bot, 'name'>,
  secrets: NewSecrets,
): string[] {
  const config = bot.customEndpointConfig;
  if (config === null) return [];
  const before = previous?.customEndpointConfig ?? null;
  const header = config.auth_header_name;
  return [
    ...(config.endpoint_url === before?.endpoint_url
      ? []
      : [`“${bot.name}” can send conversations and passages to ${shorten(config.endpoint_url)}`]),
    ...(before === null || header === before.auth_header_name
      ? []
      : [
          header === null
            ? `“${bot.name}” sends no header with a secret to its model server.`
            : `“${bot.name}” sends its secret to the model server in the header ${header}.`,
        ]),
    ...(secrets.custom_endpoint_config?.auth_header_value
      ? [`“${bot.name}” has a new secret for its model server.`]
      : []),
  ];
}

/** Lists the ways in which more people can use a bot, or on more pages, than before. */
function listAudienceItems(previous: BotAccess, bot: BotAccess & Pick<Bot, 'name'>): string[] {
  const { allowedDomains } = bot;
  const domainsBefore = previous.allowedDomains;
  const addedDomains = allowedDomains?.filter((domain) => !domainsBefore?.includes(domain)) ?? [];
  return [
    ...(bot.isPublic && !previous.isPublic ? [`“${bot.name}” is public: anyone can talk to it.`] : []),
    ...(allowedDomains === null && domainsBefore !== null ? [`“${bot.name}” can run on all websites.`] : []),
    ...(domainsBefore !== null && addedDomains.length > 0
      ? [`“${bot.name}” can also run on ${addedDomains.join(', ')}`]
      : []),
  ];
}

function describeExposure({ kind, target }: FlowExposure): string {
  if (kind === 'request') return `sends requests to ${shorten(target)}`;
  const address = kind === 'email' ? 'email address' : 'phone number';
  return `stores ${shorten(target)} as the ${address} of visitors, and replies are sent to it`;
}

function shorten(target: string): string {
  return target.length > MAX_TARGET_LENGTH ? `${cutText(target, MAX_TARGET_LENGTH)}…` : target;
}

function describeKeyService(service: KeyServiceConfig): string {
  if (service.type === 'aws_kms') return `AWS KMS: ${service.key_arn}.`;
  return `Vault: the key ${service.key_name} at ${service.url}`;
}

function describeExport({
  bot_ids: botIds,
  from,
  to,
  include_contacts: hasContacts = true,
}: ExportInput): string {
  const bots = botIds ? `${botIds.length} bot${botIds.length === 1 ? '' : 's'}` : 'all bots';
  const times = [...(from ? [`from ${from}`] : []), ...(to ? [`to ${to}`] : [])].join(' ');
  return `Conversations of ${bots}${times && `, ${times}`}, with${hasContacts ? '' : 'out'} contacts.`;
}

function formatList(words: readonly string[]): string {
  const listed = words.slice(0, MAX_SCOPES).join(', ');
  return words.length > MAX_SCOPES ? `${listed} and ${words.length - MAX_SCOPES} more` : listed;
}
