import { groupItems } from '../../core/group-items.ts';
import type { NewUsage } from '../../repositories/usage/usage-delta.sql.ts';

interface CountedTurn {
  orgId: string;
  botId: string;
  day: string;
}

interface CountedAnswer extends CountedTurn {
  /** Day on which the visitor's message was counted; null for an answer without such a message. */
  turnDay: string | null;
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
}

const NOTHING = { messages: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

/**
 * Counts each admitted message of a visitor for its bot and day. The model is null, because the answering
 * model is not known yet.
 */
export function toTurnUsage(turns: readonly CountedTurn[]): NewUsage[] {
  return sumDeltas(turns.map((turn) => ({ ...turn, ...NOTHING, model: null, messages: 1 })));
}

/**
 * Returns the token usage and costs of answers. Also moves the count of each visitor's message from no model
 * to the answering model, on the day on which the message was counted.
 */
export function toAnswerUsage(answers: readonly CountedAnswer[]): NewUsage[] {
  return sumDeltas(
    answers.flatMap(({ orgId, botId, day, turnDay, model, inputTokens, outputTokens, costUsd }) => {
      const base = { orgId, botId, ...NOTHING };
      const usage = {
        inputTokens: inputTokens ?? 0,
        outputTokens: outputTokens ?? 0,
        costUsd: costUsd ?? 0,
      };
      const moved =
        turnDay === null || model === null
          ? []
          : [
              { ...base, day: turnDay, model: null, messages: -1 },
              { ...base, day: turnDay, model, messages: 1 },
            ];
      return [...moved, { ...base, ...usage, day, model }];
    }),
  );
}

/** Adds up usage counts with the same bot, day and model, and drops sums of zero. */
function sumDeltas(deltas: readonly NewUsage[]): NewUsage[] {
  const groups = groupItems(deltas, ({ botId, day, model }) => `${botId} ${day} ${model ?? ''}`);
  const sums = groups.map(([, all]) => all.reduce((sum, delta) => addDeltas(sum, delta)));
  return sums.filter(
    ({ messages, inputTokens, outputTokens, costUsd }) =>
      messages !== 0 || inputTokens !== 0 || outputTokens !== 0 || costUsd !== 0,
  );
}

function addDeltas(one: NewUsage, other: NewUsage): NewUsage {
  return {
    ...one,
    messages: one.messages + other.messages,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costUsd: one.costUsd + other.costUsd,
  };
}
