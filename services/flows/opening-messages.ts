import { buildOpening } from '../../core/flows/opening-messages.ts';
import type { RequestedInput } from '../../core/flows/node-type.ts';
import type { Database } from '../../database/database.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { FlowRevisionRepository } from '../../repositories/flows/flow-revision.repository.ts';
import { toBotValues } from './template-values.ts';

export interface ShownOpening {
  text: string;
  input: RequestedInput | null;
}

/** Computes the messages that a bot's flows show at the start, before the visitor writes. */
export class FlowOpenings {
  readonly #revisions: FlowRevisionRepository;

  constructor(revisions: FlowRevisionRepository) {
    this.#revisions = revisions;
  }

  async find(db: Database, bot: Bot): Promise<ShownOpening | null> {
    if (bot.activeFlowCount === 0) return null;
    const scope = { db, orgId: bot.orgId };
    const [first] = await this.#revisions.listActive(scope, bot.id, 'conversation_started');
    const opening = first ? buildOpening(first.graph, { bot: toBotValues(bot) }) : null;
    if (!opening) return null;
    const { text, input } = opening;
    return { text, input: input && { kind: input.kind, options: input.options } };
  }
}
