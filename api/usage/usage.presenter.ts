import type { UsageSummary as Summary } from '../../services/usage/usage-service.ts';
import type { UsageRow } from '../../repositories/usage/usage.sql.ts';
import type { UsageDay, UsageSummary } from './usage.schemas.ts';

export function presentSummary({ range, ...used }: Summary): UsageSummary {
  return {
    from: toMidnight(range.from),
    to: toMidnight(range.to),
    workspaces: used.workspaces,
    ...presentFigures(used),
    documents: used.documents,
    bots: used.bots,
    seats: used.seats,
    alerts: used.alerts,
    messages_left: used.messagesLeft,
    topup_credits_left: used.creditsLeft,
    limits: used.limits,
    exceeded: used.exceeded,
  };
}

export function presentDay(row: UsageRow): UsageDay {
  return { date: row.day, bot_id: row.botId, model: row.model, ...presentFigures(row) };
}

function presentFigures({
  messages,
  inputTokens,
  outputTokens,
  costUsd,
}: Pick<UsageRow, 'messages' | 'inputTokens' | 'outputTokens' | 'costUsd'>) {
  return { messages, input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd };
}

function toMidnight(day: string): string {
  return new Date(day).toISOString();
}
