import { chooseLanguage, getDefaultLanguage, type Language } from '../../../core/languages.ts';
import { isTimeZone } from '../../../core/time-zone.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Booking } from '../../../entities/bookings/booking.entity.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { FollowedBookingRepository } from '../../../repositories/bookings/followed-booking.repository.ts';
import type { BotRepository } from '../../../repositories/bots/bot.repository.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import type { SenderChecks } from '../../mail/senders/sender-checks.ts';
import { senderWords } from '../../mail/senders/sender-words.ts';
import { findVisitorLanguage } from '../../mail/visitor-language.ts';
import { attendeeWords } from './attendee-words.ts';

export interface AttendeeFactsDeps {
  rows: FollowedBookingRepository;
  bots: BotRepository;
  messages: MessageRepository;
  senders: SenderChecks;
}

/** Facts about a meeting that its attendee may see. */
export interface AttendeeFacts {
  language: Language;
  /** Name of the bot through which the meeting was booked; the workspace's name if no bot was involved. */
  withWhom: string;
  timeZone: string;
  summary: string;
  /**
   * Description of the meeting, written by the team. Empty for meetings booked by a visitor, who may have
   * entered another person's address.
   */
  description: string;
  attendeeName: string | null;
  /** Warning for the attendee that the workspace's identity is not verified; empty if it is verified. */
  notice: string;
}

/** Reads the facts about a meeting that its attendee may see. */
export class AttendeeFactsReader {
  readonly #deps: AttendeeFactsDeps;

  constructor(deps: AttendeeFactsDeps) {
    this.#deps = deps;
  }

  /** @param chosenLanguage language that the attendee has chosen; by default the attendee's own */
  async read(scope: OrgScope, booking: Booking, chosenLanguage?: Language): Promise<AttendeeFacts> {
    const { rows, bots, senders } = this.#deps;
    const sender = await senders.createSender(scope, 'booking');
    const bot = booking.botId === null ? null : await bots.find(scope, booking.botId);
    const { name, settings } = await rows.getWorkspace(scope);
    const language =
      chosenLanguage ?? (await this.#pickLanguage(scope, booking, bot)) ?? getDefaultLanguage(settings);
    const withWhom = sender.withoutLinks(sender.name(bot?.name ?? name, senderWords[language].unnamed));
    const texts = booking.source === 'team' ? await rows.open(scope, booking) : null;
    const passText = (text: string | null | undefined) => sender.withoutLinks(sender.text(text ?? ''));
    const zone = booking.attendeeTimezone ?? booking.timezone;
    return {
      language,
      withWhom,
      timeZone: isTimeZone(zone) ? zone : 'UTC',
      summary: passText(texts?.summary) || attendeeWords[language].meeting(withWhom),
      description: passText(texts?.description),
      attendeeName: passText(texts?.attendeeName) || null,
      notice: sender.notice(language),
    };
  }

  /**
   * Returns the language of the meeting's bot. For a bot with `auto`, uses the language of the visitor's
   * browser or messages.
   */
  async #pickLanguage(scope: OrgScope, booking: Booking, bot: Bot | null): Promise<Language | null> {
    const { language, conversationId } = booking;
    if (bot === null || (bot.language === 'auto' && language !== null))
      return language === null ? null : chooseLanguage([language]);
    return findVisitorLanguage(this.#deps.messages, scope, { bot, conversationId });
  }
}
