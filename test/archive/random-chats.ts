import fc from 'fast-check';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Handoff } from '../../entities/analytics/handoff.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { VisitorConsent } from '../../entities/contacts/visitor-consent.entity.ts';
import { consentStates, Conversation, sentiments } from '../../entities/conversations/conversation.entity.ts';
import { Message, type SystemEvent } from '../../entities/conversations/message.entity.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map((each) => each.replaceAll('\0', ''));
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const count = fc.nat(50_000);
const dollars = fc.nat(1_000_000).map((millionths) => millionths / 1_000_000);
const fields = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(text, fc.integer(), fc.boolean()), {
  maxKeys: 3,
});

const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'agent', 'system'),
  content: text,
  isReply: fc.boolean(),
  citations: nullable(
    fc.array(
      fc.record({
        index: fc.nat(9),
        document_id: fc.uuid({ version: 7 }),
        chunk_id: fc.uuid({ version: 7 }),
        title: text,
        source_url: nullable(fc.webUrl()),
        quote: text,
      }),
      { maxLength: 2 },
    ),
  ),
  event: fc.constantFrom<SystemEvent>(
    { kind: 'resolved' },
    { kind: 'ended', ended_by: 'visitor' },
    { kind: 'lead_captured', fields: ['name'] },
    { kind: 'handoff_requested', requested_by: 'flow' },
  ),
  isByMember: fc.boolean(),
  model: nullable(fc.constant('gpt-4o-mini')),
  inputTokens: nullable(count),
  outputTokens: nullable(count),
  costUsd: nullable(dollars),
  latencyMs: nullable(count),
  ttftMs: nullable(count),
  isError: fc.boolean(),
  isUnanswered: fc.boolean(),
});

const chat = fc.record({
  visitor: fc.nat(5),
  bot: fc.nat(1),
  country: nullable(fc.constantFrom('PT', 'DE')),
  consent: fc.constantFrom(...consentStates),
  customFields: fields,
  isLead: fc.boolean(),
  isResolved: fc.boolean(),
  rating: nullable(fc.integer({ min: 1, max: 5 })),
  sentiment: nullable(fc.constantFrom(...sentiments)),
  title: nullable(text),
  summary: nullable(text),
  totalCostUsd: dollars,
  totalInputTokens: count,
  totalOutputTokens: count,
  minutes: fc.nat(100_000),
  hasHandoff: fc.boolean(),
  messages: fc.array(message, { maxLength: 6 }),
});

const visitor = fc.record({
  identity: nullable(fc.stringMatching(/^[a-z]{3,12}$/)),
  name: nullable(text),
  email: nullable(fc.constant('ada@example.com')),
  isEmailVerified: fc.boolean(),
  phone: nullable(fc.constant('+351 912 345 678')),
  customFields: fields,
  tags: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 2 }),
  isLead: fc.boolean(),
});

/** Generates random scenes for property tests: visitors of two bots, some of them verified, and their conversations. */
export const scenes = fc.record({
  visitors: fc.array(visitor, { minLength: 6, maxLength: 6 }),
  chats: fc.array(chat, { minLength: 1, maxLength: 14 }),
});
export type Scene = typeof scenes extends fc.Arbitrary<infer S> ? S : never;

const BEGIN = Date.UTC(2026, 0, 5);
const MINUTE_MS = 60_000;

/** Inserts a generated scene into the database, with all conversations ended. */
export async function buildScene(
  db: Database,
  { orgId, botIds, userId }: { orgId: string; botIds: readonly string[]; userId: string },
  { visitors, chats }: Scene,
): Promise<void> {
  const known = visitors.map((each) => ({
    ...each,
    browserId: newId(),
    contactIds: new Map<string, string>(),
  }));
  for (const [index, { visitor: number, bot, minutes, ...of }] of chats.entries()) {
    const botId = botIds[bot]!;
    const person = known[number]!;
    const startedAt = new Date(BEGIN + minutes * MINUTE_MS + index);
    const identity = person.identity === null ? null : `${person.identity}-${number}`;
    const key = identity ?? botId;
    const contactId = person.contactIds.get(key) ?? newId();
    if (!person.contactIds.has(key)) {
      person.contactIds.set(key, contactId);
      const { name, email, isEmailVerified, phone, customFields, tags, isLead, browserId } = person;
      const details = { name, email, isEmailVerified, phone, customFields, tags, isLead };
      await db.repository(Contact).insert({
        ...details,
        id: contactId,
        orgId,
        botId,
        visitorId: `v-${number}`,
        browserId,
        identity,
        firstSeenAt: startedAt,
      });
    }
    await buildChat(
      db,
      { orgId, botId, userId, startedAt, number, person, contactId: identity && contactId },
      of,
    );
  }
}

async function buildChat(
  db: Database,
  place: {
    orgId: string;
    botId: string;
    userId: string;
    startedAt: Date;
    number: number;
    person: { browserId: string };
    contactId: string | null;
  },
  { messages, hasHandoff, consent, ...columns }: Omit<Scene['chats'][number], 'visitor' | 'bot' | 'minutes'>,
): Promise<void> {
  const { orgId, botId, userId, startedAt, number, person, contactId } = place;
  const id = newId();
  const later = (minutes: number) => new Date(startedAt.getTime() + minutes * MINUTE_MS);
  const rows: Partial<Opened<Message>>[] = [];
  for (const [index, { isReply, event, isByMember, role, ...of }] of messages.entries()) {
    const before = rows.at(-1);
    const isSystem = role === 'system';
    const isAnswer = role === 'assistant';
    const answered = isReply && isAnswer && before?.role === 'user' ? before.id : null;
    rows.push({
      ...of,
      id: newId(),
      orgId,
      conversationId: id,
      role,
      content: isSystem ? '' : of.content,
      citations: isAnswer ? of.citations : null,
      event: isSystem ? event : null,
      replyToId: answered ?? null,
      authorId: isByMember && !isAnswer ? userId : null,
      authorName: isByMember && !isAnswer ? 'Ada Okafor' : null,
      createdAt: later(index),
    });
  }
  await db.repository(Conversation).insert({
    ...columns,
    id,
    orgId,
    botId,
    visitorId: `v-${number}`,
    browserId: person.browserId,
    contactId,
    isVouchedFor: contactId !== null,
    consent,
    consentAt: consent === 'unknown' ? null : startedAt,
    status: 'ended',
    endedAt: later(100),
    createdAt: startedAt,
    lastMessageAt: later(50),
    visitorSeenAt: later(60),
    hadHandoff: hasHandoff,
    hasVisitorMessage: rows.some(({ role }) => role === 'user'),
    messageCount: rows.filter(({ role }) => role !== 'system').length,
  });
  if (rows.length > 0) await db.repository(Message).insert(rows as object[]);
  if (hasHandoff)
    await db.repository(Handoff).insert({
      id: newId(),
      orgId,
      botId,
      conversationId: id,
      requestedAt: later(1),
      answeredAt: later(3),
    });
  if (consent !== 'unknown')
    await db
      .repository(VisitorConsent)
      .insert({ id, orgId, botId, browserId: person.browserId, contactId, consent, saidAt: startedAt });
}
