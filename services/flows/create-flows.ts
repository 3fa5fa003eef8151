import { FlowRevisionRepository } from '../../repositories/flows/flow-revision.repository.ts';
import { FlowRepository } from '../../repositories/flows/flow.repository.ts';
import type { ServiceDeps, Shared } from '../service-deps.ts';
import { FlowService } from './flows.service.ts';

/** Conversations that bots lead by plan. */
export function createFlows({ keyring, settings }: ServiceDeps, { bots }: Shared) {
  const rows = { flows: new FlowRepository(), revisions: new FlowRevisionRepository() };
  return { flows: new FlowService({ ...rows, bots, keyring, settings }) };
}
