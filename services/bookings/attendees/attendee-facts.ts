import { languageFor, languageOf, type Language } from '../../../core/languages.ts';
import { isTimeZone } from '../../../core/time-zone.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Booking } from '../../../entities/bookings/booking.entity.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { FollowedBookingRepository } from '../../../repositories/bookings/followed-booking.repository.ts';
import type { BotRepository } from '../../../repositories/bots/bot.repository.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import type { SenderChecks } from '../../mail/senders/sender-checks.ts';
import { senderWords } from '../../mail/senders/sender-words.ts';
import { visitorLanguage } from '../../mail/visitor-language.ts';
import { attendeeWords } from './attendee-words.ts';

export interface AttendeeFactsDeps {
  rows: FollowedBookingRepository;
  bots: BotRepository;
  messages: MessageRepository;
  senders: SenderChecks;
}

/** What an attendee is told of a meeting. */
export interface AttendeeFacts {
  language: Language;
  /** Whom they meet: the bot they have booked with, or the workspace. */
  withWhom: string;
  timeZone: string;
  summary: string;
  /** The team's own words; none of a visitor's, who may have given anybody's address. */
  description: string;
  attendeeName: string | null;
  /** What the attendee is told of whom the meeting is with; empty where there is nothing to tell. */
  notice: string;
}

/** Reads what attendees are told of their meetings. */
export class AttendeeFactsReader {
  readonly #deps: AttendeeFactsDeps;

  constructor(deps: AttendeeFactsDeps) {
    this.#deps = deps;
  }

  /** @param reader the language that the reader has just asked for */
  async of(scope: OrgScope, booking: Booking, reader?: Language): Promise<AttendeeFacts> {
    const { rows, bots, senders } = this.#deps;
    const sender = await senders.open(scope, 'booking');
    const bot = booking.botId === null ? null : await bots.find(scope, booking.botId);
    const { name, settings } = await rows.workspaceOf(scope);
    const language = reader ?? (await this.#languageOf(scope, booking, bot)) ?? languageOf(settings);
    const withWhom = sender.name(bot?.name ?? name, senderWords[language].unnamed);
    const texts = booking.source === 'team' ? await rows.open(scope, booking) : null;
    const zone = booking.attendeeTimezone ?? booking.timezone;
    return {
      language,
      withWhom,
      timeZone: isTimeZone(zone) ? zone : 'UTC',
      summary: (texts && sender.text(texts.summary)) || attendeeWords[language].meeting(withWhom),
      description: sender.withoutLinks(sender.text(texts?.description ?? '')),
      attendeeName: sender.text(texts?.attendeeName ?? '') || null,
      notice: sender.notice(language),
    };
  }

  /** The bot's own; else what the browser has asked for, or what the visitor writes in. */
  async #languageOf(scope: OrgScope, booking: Booking, bot: Bot | null): Promise<Language | null> {
    const { language, conversationId } = booking;
    if (bot === null || (bot.language === 'auto' && language !== null))
      return language === null ? null : languageFor([language]);
    return visitorLanguage(this.#deps.messages, scope, { bot, conversationId });
  }
}
