import type { Bot } from '../../client/types.ts';
import { DraftCard } from '../generation/draft-card.tsx';
import type { Origin } from '../generation/use-origin.ts';
import type { BotFormState } from '../studio/use-bot-form.ts';
import { Figures } from './figures.tsx';
import { Problems } from './problems.tsx';
import { Unanswered } from './unanswered.tsx';

export interface OverviewProps {
  bot: Bot;
  form: BotFormState;
  origin: Origin | null;
  onChange(bot: Bot): void;
}

/** Shows the health of the bot: what needs attention, the figures of the week, and unanswered questions. */
export function Overview({ bot, form, origin, onChange }: OverviewProps) {
  const draftOrigin = bot.status === 'draft' ? origin : null;
  return (
    <div className="overview">
      {draftOrigin !== null && <DraftCard bot={bot} form={form} origin={draftOrigin} />}
      <Figures bot={bot} />
      <Problems bot={bot} hasDraftCard={draftOrigin !== null} onChange={onChange} />
      <Unanswered botId={bot.id} />
    </div>
  );
}
