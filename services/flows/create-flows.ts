import { FlowRevisionRepository } from '../../repositories/flows/flow-revision.repository.ts';
import { FlowSessionRepository } from '../../repositories/flows/flow-session.repository.ts';
import { FlowRepository } from '../../repositories/flows/flow.repository.ts';
import type { PlaygroundService } from '../conversations/answering/playground-service.ts';
import type { SearchService } from '../knowledge/search/search-service.ts';
import type { TokenUsage } from '../usage/token-usage.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';
import type { FlowCalendar } from './flow-calendar.ts';
import { FlowCopies } from './flow-copies.ts';
import { FlowTestService } from './flow-test-service.ts';
import { FlowOpenings } from './opening-messages.ts';
import { FlowService } from './flow-service.ts';

interface FlowsDeps extends Pick<SharedDeps, 'bots'> {
  search: SearchService;
  playground: PlaygroundService;
  flowCalendar: FlowCalendar;
  tokens: TokenUsage;
}

/** Creates the services that edit and test conversation flows. */
export function createFlows(
  { keyring, settings, models, clock }: ServiceDeps,
  { bots, search, playground, flowCalendar: calendar, tokens }: FlowsDeps,
) {
  const rows = { flows: new FlowRepository(), revisions: new FlowRevisionRepository(), bots };
  return {
    flows: new FlowService({ ...rows, sessions: new FlowSessionRepository(), keyring, calendar, settings }),
    openings: new FlowOpenings(rows.revisions),
    flowCopies: new FlowCopies(rows),
    flowTests: new FlowTestService({ ...rows, search, playground, calendar, models, keyring, clock, tokens }),
  };
}
