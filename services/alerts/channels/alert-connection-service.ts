import { randomBytes } from 'node:crypto';
import { digestSecret } from '../../../core/accounts/secret-digest.ts';
import type { Clock } from '../../../core/clock.ts';
import { AppError, notFound } from '../../../core/errors/errors.ts';
import { newId } from '../../../core/ids.ts';
import { languageOf, type Language } from '../../../core/languages.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { AlertAttempt, AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';
import type { AlertAttemptRepository } from '../../../repositories/alerts/alert-attempt.repository.ts';
import type { AlertDestinationRepository } from '../../../repositories/alerts/alert-destination.repository.ts';
import type { AccessNotices } from '../../team/access-notices.ts';
import { accessWords, destinationText } from '../../team/access-words.ts';
import type { MemberScope } from '../../team/member-scope.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { readUpdatesCommand } from '../alert-commands.ts';
import { channelsOf, KEPT_CHATS } from './channels.ts';
import { messageWords } from '../messages/message-words.ts';

/** How long a link waits for somebody to open it. */
const OPEN_SECONDS = 15 * 60;
/** As base64url 43 characters: Telegram takes 64. */
const CODE_BYTES = 32;

export interface StartedConnection {
  attempt: AlertAttempt;
  link: string;
  /** Into a group, where the app has those. */
  groupLink: string | null;
}

/** Who has opened a link, as the provider names them. */
export interface OpenedLink {
  code: string;
  destination: string;
  name: string | null;
  /** The message by which they did. */
  consent: string | null;
  /** When they did; now where nobody says. */
  at?: Date;
}

/** Whose alerts a chat can get from now on. */
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

/** Links by which a chat or a number is tied to a workspace: whoever opens one has agreed. */
export class AlertConnectionService {
  readonly #deps: AlertConnectionServiceDeps;

  constructor(deps: AlertConnectionServiceDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `conflict` where nobody could open the link */
  start(scope: MemberScope, channel: AlertChannel): Promise<StartedConnection> {
    const { attempts, outbox, settings } = this.#deps;
    const way = channelsOf(settings)[channel];
    if (way === 'none')
      throw new AppError(
        'conflict',
        `${nameOf(channel)} is not set up here; the operator can do that, as docs/alerts.md says.`,
      );
    const code = randomBytes(CODE_BYTES).toString('base64url');
    return inTransaction(scope, async (tx) => {
      const attempt = await attempts.insertFor(
        tx,
        { id: newId(), channel, codeDigest: digestSecret(code), userId: scope.userId, keyId: scope.keyId },
        OPEN_SECONDS,
      );
      if (channel === 'telegram' && settings.telegramBotToken !== undefined)
        await outbox.command(tx, readUpdatesCommand(settings.telegramBotToken));
      const { language } = await this.#workspaceOf(tx);
      return { attempt, ...this.#linksOf(channel, way, messageWords[language].request(code), code) };
    });
  }

  /** @throws AppError `forbidden` or `not_found` */
  async get(scope: OrgScope, channel: AlertChannel, id: string): Promise<AlertAttempt> {
    const attempt = await this.#deps.attempts.get(scope, id);
    if (attempt.channel !== channel) throw notFound('connection attempt');
    return attempt;
  }

  statusOf({ connectedAt, expiresAt }: AlertAttempt): 'pending' | 'connected' | 'expired' {
    if (connectedAt) return 'connected';
    return expiresAt > this.#deps.clock.now() ? 'pending' : 'expired';
  }

  /** Ties the destination to the workspace of the code, which it returns; null where the code is good no more. */
  async connect(
    database: Database,
    channel: AlertChannel,
    { code, destination, name, consent, at }: OpenedLink,
  ): Promise<ConnectedWorkspace | null> {
    const { attempts, destinations, accessNotices } = this.#deps;
    return database.transaction(async (db) => {
      const attempt = await attempts.take(db, channel, digestSecret(code), { destination, name });
      if (!attempt) return null;
      const place = { channel, destination };
      await destinations.markVerified({ orgId: attempt.orgId, db }, place, {
        verifiedBy: 'link',
        name,
        consent,
        at,
      });
      const { orgId, userId, keyId } = attempt;
      const workspace = await this.#workspaceOf({ orgId, db });
      await accessNotices.notify(db, orgId, {
        actor: { userId, keyId, device: null },
        kind: 'connectAlerts',
        notice: accessWords.destinationConnected(nameOf(channel), destinationText(destination, name)),
      });
      return workspace;
    });
  }

  async #workspaceOf(scope: OrgScope): Promise<ConnectedWorkspace> {
    const { name, settings } = await this.#deps.attempts.getOrg(scope);
    return { name, language: languageOf(settings) };
  }

  #linksOf(
    channel: AlertChannel,
    way: 'provider' | 'kept',
    request: string,
    code: string,
  ): Pick<StartedConnection, 'link' | 'groupLink'> {
    const { settings } = this.#deps;
    if (way === 'kept')
      return { link: `${settings.baseUrl}${KEPT_CHATS}/${channel}?code=${code}`, groupLink: null };
    if (channel === 'telegram') {
      const bot = `https://t.me/${settings.telegramBotName}`;
      return { link: `${bot}?start=${code}`, groupLink: `${bot}?startgroup=${code}` };
    }
    const text = encodeURIComponent(request);
    return { link: `https://wa.me/${settings.whatsappNumber?.slice(1)}?text=${text}`, groupLink: null };
  }
}

export function nameOf(channel: AlertChannel): string {
  return channel === 'telegram' ? 'Telegram' : 'WhatsApp';
}
