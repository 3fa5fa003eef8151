import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { ContactRepository } from '../../../repositories/contacts/contact.repository.ts';
import type { AnswerRepository } from '../../../repositories/conversations/answer.repository.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import { FlowRevisionRepository } from '../../../repositories/flows/flow-revision.repository.ts';
import { FlowSessionRepository } from '../../../repositories/flows/flow-session.repository.ts';
import { FlowRepository } from '../../../repositories/flows/flow.repository.ts';
import type { Answerer } from '../../conversations/answering/answerer.ts';
import type { RemarkAnswerer } from '../../conversations/answering/remark-answerer.ts';
import type { ServiceDeps, SharedDeps } from '../../service-deps.ts';
import type { FlowCalendar } from '../flow-calendar.ts';
import { FlowContacts } from './flow-contacts.ts';
import { FlowEffects } from './flow-effects.ts';
import { FlowGraphs } from './flow-graphs.ts';
import { FlowRunner } from './flow-runner.ts';
import { FlowWaits } from './flow-waits.ts';

interface FlowRunningDeps extends SharedDeps {
  conversations: ScopedRepository<Conversation>;
  contacts: ContactRepository;
  messages: MessageRepository;
  answers: AnswerRepository;
  answerer: Answerer;
  remarkAnswerer: RemarkAnswerer;
  calendar: FlowCalendar;
}

/** Creates the services that run flows in conversations. */
export function createFlowRunning(deps: ServiceDeps, flowDeps: FlowRunningDeps) {
  const sessions = new FlowSessionRepository();
  const graphs = new FlowGraphs(new FlowRepository(), new FlowRevisionRepository());
  const effects = new FlowEffects({ ...deps, ...flowDeps });
  return {
    sessions,
    flows: new FlowRunner({ ...deps, ...flowDeps, sessions, graphs, effects }),
    flowContacts: new FlowContacts({ ...flowDeps, log: deps.log }),
    flowWaits: new FlowWaits({ ...flowDeps, sessions }),
  };
}
