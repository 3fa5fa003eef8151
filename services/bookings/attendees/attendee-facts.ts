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

/** Facts about a meeting for its attendee. */
export interface AttendeeFacts {
  language: Language;
  /** Name of the bot that the meeting was booked with, or of the workspace. */
  withWhom: string;
  timeZone: string;
  summary: string;
  /** Description written by the team. Empty for a visitor's booking, since the address may be another person's. */
  description: string;
  attendeeName: string | null;
  /** Notice about an unchecked sender; empty if there is none. */
  notice: string;
}

/** Reads the facts about meetings for attendees. */
export class AttendeeFactsReader {
  readonly #deps: AttendeeFactsDeps;

  constructor(deps: AttendeeFactsDeps) {
    this.#deps = deps;
  }

  /** @param reader language that the reader has requested */
  async read(scope: OrgScope, booking: Booking, reader?: Language): Promise<AttendeeFacts> {
    const { rows, bots, senders } = this.#deps;
    const sender = await senders.open(scope, 'booking');
    const bot = booking.botId === null ? null : await bots.find(scope, booking.botId);
    const { name, settings } = await rows.getWorkspace(scope);
    const language =
      reader ?? (await this.#pickLanguage(scope, booking, bot)) ?? getDefaultLanguage(settings);
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

  /** Returns the bot's language; for `auto`, the browser's language or the one that the visitor writes in. */
  async #pickLanguage(scope: OrgScope, booking: Booking, bot: Bot | null): Promise<Language | null> {
    const { language, conversationId } = booking;
    if (bot === null || (bot.language === 'auto' && language !== null))
      return language === null ? null : chooseLanguage([language]);
    return findVisitorLanguage(this.#deps.messages, scope, { bot, conversationId });
  }
}
