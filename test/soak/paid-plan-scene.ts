import { newId } from '../../core/ids.ts';
import { Handoff } from '../../entities/analytics/handoff.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';

/** Number of days before today in the year that the page of usage shows. */
const DAYS = 364;
const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
const BATCH = 500;
const MODELS = ['gpt-4o-mini', 'gpt-4o'] as const;
const QUESTIONS = [
  'What does a day pass cost?',
  'Can I bring a bike back at another station?',
  'Where can I rent a child seat?',
  'Are helmets included in the rental?',
  'Do you repair electric bikes of other makers?',
];
/** Visitors' questions that the documents do not answer. */
const UNANSWERED = new Set([QUESTIONS[2], QUESTIONS[4]]);

interface Place {
  orgId: string;
  botId: string;
}

/** Returns a seeded random generator of numbers between 0 and 1. */
function createRandom(): () => number {
  let state = 20_261_127;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/**
 * Inserts a year of conversations: fewer at its beginning and on weekends, and most in summer.
 * @returns the number of conversations
 */
export async function addYear(db: Database, place: Place): Promise<number> {
  const chance = createRandom();
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const begun = Array.from({ length: DAYS }, (_, index) => today - (DAYS - index) * DAY_MS).flatMap((day) => {
    const weekday = new Date(day).getUTCDay();
    const season = 1 + Math.sin(((new Date(day).getUTCMonth() - 3) / 12) * 2 * Math.PI);
    const count = Math.round((3 + 4 * season + 3 * chance()) * (weekday % 6 === 0 ? 0.5 : 1));
    return Array.from({ length: count }, () => buildYearConversation(place, day + chance() * DAY_MS, chance));
  });
  const [conversations, messages] = [begun.map(({ row }) => row), begun.flatMap((each) => each.messages)];
  await writeInBatches(conversations, (rows) => db.repository(Conversation).insert(rows));
  await writeInBatches(messages, (rows) => db.repository(Message).insert(rows));
  await db.repository(Handoff).insert(begun.flatMap(({ handoff }) => handoff ?? []));
  await writeInBatches(buildUsageDeltas(place, messages), (rows) => db.repository(UsageDelta).insert(rows));
  return begun.length;
}

function buildYearConversation({ orgId, botId }: Place, time: number, chance: () => number) {
  const [id, createdAt] = [newId(), new Date(time)];
  const hadHandoff = chance() < 0.12;
  const row = {
    id,
    orgId,
    botId,
    visitorId: `visitor_${id}`,
    browserId: newId(),
    status: 'ended',
    messageCount: 2,
    hasVisitorMessage: true,
    hadHandoff,
    isResolved: chance() < 0.7,
    isLead: chance() < 0.15,
    rating: chance() < 0.3 ? 5 - Math.floor(chance() * chance() * 5) : null,
    createdAt,
    endedAt: new Date(time + 10 * MINUTE_MS),
  } as const;
  const requestedAt = new Date(time + MINUTE_MS);
  const answeredAt = new Date(requestedAt.getTime() + (0.5 + 8 * chance()) * MINUTE_MS);
  const handoff = hadHandoff
    ? { id: newId(), orgId, botId, conversationId: id, requestedAt, answeredAt }
    : null;
  return { row, handoff, messages: buildTurn({ orgId, conversationId: id }, time, chance) };
}

function buildTurn(ids: { orgId: string; conversationId: string }, time: number, chance: () => number) {
  const content = QUESTIONS[Math.floor(chance() * chance() * QUESTIONS.length)]!;
  const askedId = newId();
  const latencyMs = Math.round(400 + 2500 * chance() * chance());
  const asked = { ...ids, id: askedId, role: 'user', content, createdAt: new Date(time) } as const;
  const answer = {
    ...ids,
    id: newId(),
    role: 'assistant',
    content: UNANSWERED.has(content) ? 'I do not know; ask the service desk.' : 'Here is what our pages say.',
    replyToId: askedId,
    model: MODELS[chance() < 0.75 ? 0 : 1],
    inputTokens: Math.round(600 + 500 * chance()),
    outputTokens: Math.round(60 + 120 * chance()),
    costUsd: 0.0004,
    latencyMs,
    ttftMs: Math.round(latencyMs * 0.4),
    isUnanswered: UNANSWERED.has(content),
    createdAt: new Date(time + latencyMs),
  } as const;
  return [asked, answer];
}

function buildUsageDeltas(
  { orgId, botId }: Place,
  messages: readonly Partial<Opened<Message>>[],
): UsageDelta[] {
  return messages.flatMap(({ createdAt, model, inputTokens, outputTokens, costUsd }) =>
    model && createdAt
      ? {
          id: newId(),
          orgId,
          payerId: orgId,
          botId,
          model,
          day: createdAt.toISOString().slice(0, 10),
          messages: 1,
          inputTokens: inputTokens ?? 0,
          outputTokens: outputTokens ?? 0,
          costUsd: costUsd ?? 0,
          alerts: 0,
        }
      : [],
  );
}

async function writeInBatches<T>(rows: readonly T[], write: (rows: T[]) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < rows.length; first += BATCH) await write(rows.slice(first, first + BATCH));
}
