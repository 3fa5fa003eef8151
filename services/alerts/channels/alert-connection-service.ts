import { randomBytes } from 'node:crypto';
import { digestSecret } from '../../../core/accounts/secret-digest.ts';
import type { Clock } from '../../../core/clock.ts';
import { AppError, notFound } from '../../../core/errors/errors.ts';
import { newId } from '../../../core/ids.ts';
import { getDefaultLanguage, type Language } from '../../../core/languages.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { AlertAttempt, AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';
import type { AlertAttemptRepository } from '../../../repositories/alerts/alert-attempt.repository.ts';
import type { AlertDestinationRepository } from '../../../repositories/alerts/alert-destination.repository.ts';
import type { AccessNotices } from '../../team/access-notices.ts';
import { accessWords, formatDestination } from '../../team/access-words.ts';
import type { MemberScope } from '../../team/member-scope.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { createReadUpdatesCommand } from '../alert-commands.ts';
import { resolveChannelRoutes, CAPTURED_CHATS_PATH } from './channels.ts';
import { messageWords } from '../messages/message-words.ts';

/** Time in seconds for which a link that connects a chat to alerts is valid. */
const LINK_SECONDS = 15 * 60;
/**
 * Number of random bytes in the code of a connection link. The code has 43 characters in base64url; Telegram
 * accepts up to 64.
 */
const CODE_BYTES = 32;

export interface StartedConnection {
  attempt: AlertAttempt;
  link: string;
  /** Link that adds the Telegram bot to a group; null for channels without such links. */
  groupLink: string | null;
}

/** A messaging provider's report that a person has opened a connection link. */
export interface OpenedLink {
  code: string;
  destination: string;
  name: string | null;
  /** Id of the person's message that opened the link. It proves the consent to receive alerts. */
  consent: string | null;
  /** Time at which the person opened the link; default: now. */
  at?: Date;
}

/** The workspace to which a chat or phone number was connected for alerts. */
export interface ConnectedWorkspace {
  name: string;
  language: Language;
}

export interface AlertConnectionServiceDeps {
  attempts: AlertAttemptRepository;
  destinations: AlertDestinationRepository;
  outbox: OutboxService;
  accessNotices: Pick<AccessNotices, 'notify'>;
  clock: Clock;
  settings: Pick<
    Settings,
    | 'telegramBotToken'
    | 'telegramBotName'
    | 'whatsappToken'
    | 'whatsappNumber'
    | 'smtpUrl'
    | 'baseUrl'
    | 'trustedProxies'
  >;
}

/**
 * Manages connection links. A person who opens the link connects a chat or phone number to the workspace and
 * consents to alerts.
 */
export class AlertConnectionService {
  readonly #deps: AlertConnectionServiceDeps;

  constructor(deps: AlertConnectionServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a link with which a person connects a chat or number of a channel.
   * @throws AppError `conflict` if the channel is not configured
   */
  start(scope: MemberScope, channel: AlertChannel): Promise<StartedConnection> {
    const { attempts, outbox, settings } = this.#deps;
    const route = resolveChannelRoutes(settings)[channel];
    if (route === 'none')
      throw new AppError(
        'conflict',
        `${nameChannel(channel)} is not set up in this installation; docs/alerts.md explains the setup to the operator.`,
      );
    const code = randomBytes(CODE_BYTES).toString('base64url');
    return inTransaction(scope, async (tx) => {
      const attempt = await attempts.insertFor(
        tx,
        { id: newId(), channel, codeDigest: digestSecret(code), userId: scope.userId, keyId: scope.keyId },
        LINK_SECONDS,
      );
      if (channel === 'telegram' && settings.telegramBotToken !== undefined)
        await outbox.command(tx, createReadUpdatesCommand(settings.telegramBotToken));
      const { language } = await this.#loadWorkspace(tx);
      return { attempt, ...this.#buildLinks(channel, route, messageWords[language].request(code), code) };
    });
  }

  /**
   * Returns the state of an attempt to connect a chat or number.
   * @throws AppError `forbidden` or `not_found`
   */
  async get(scope: OrgScope, channel: AlertChannel, id: string): Promise<AlertAttempt> {
    const attempt = await this.#deps.attempts.get(scope, id);
    if (attempt.channel !== channel) throw notFound('connection attempt');
    return attempt;
  }

  getStatus({ connectedAt, expiresAt }: AlertAttempt): 'pending' | 'connected' | 'expired' {
    if (connectedAt) return 'connected';
    return expiresAt > this.#deps.clock.now() ? 'pending' : 'expired';
  }

  /**
   * Connects a chat or number to the workspace that has created the link's code. Returns the workspace; null
   * if the code has expired or was used.
   */
  async connect(
    database: Database,
    channel: AlertChannel,
    { code, destination, name, consent, at }: OpenedLink,
  ): Promise<ConnectedWorkspace | null> {
    const { attempts, destinations, accessNotices } = this.#deps;
    return database.transaction(async (db) => {
      const attempt = await attempts.connect(db, channel, digestSecret(code), { destination, name });
      if (!attempt) return null;
      const destinationKey = { channel, destination };
      await destinations.markVerified({ orgId: attempt.orgId, db }, destinationKey, {
        name,
        consent,
        at,
      });
      const { orgId, userId, keyId } = attempt;
      const workspace = await this.#loadWorkspace({ orgId, db });
      await accessNotices.notify(db, orgId, {
        actor: { userId, keyId, device: null },
        kind: 'connectAlerts',
        notice: accessWords.destinationConnected(nameChannel(channel), formatDestination(destination, name)),
      });
      return workspace;
    });
  }

  async #loadWorkspace(scope: OrgScope): Promise<ConnectedWorkspace> {
    const { name, settings } = await this.#deps.attempts.getOrg(scope);
    return { name, language: getDefaultLanguage(settings) };
  }

  #buildLinks(
    channel: AlertChannel,
    route: 'provider' | 'kept',
    request: string,
    code: string,
  ): Pick<StartedConnection, 'link' | 'groupLink'> {
    const { settings } = this.#deps;
    if (route === 'kept')
      return { link: `${settings.baseUrl}${CAPTURED_CHATS_PATH}/${channel}?code=${code}`, groupLink: null };
    if (channel === 'telegram') {
      const bot = `https://t.me/${settings.telegramBotName}`;
      return { link: `${bot}?start=${code}`, groupLink: `${bot}?startgroup=${code}` };
    }
    const text = encodeURIComponent(request);
    return { link: `https://wa.me/${settings.whatsappNumber?.slice(1)}?text=${text}`, groupLink: null };
  }
}

export function nameChannel(channel: AlertChannel): string {
  return channel === 'telegram' ? 'Telegram' : 'WhatsApp';
}
