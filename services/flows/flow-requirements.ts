import { AppError } from '../../core/errors/errors.ts';
import type { RequiredFeature } from '../../core/flows/node-type.ts';
import { nodeTypes } from '../../core/flows/node-types.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { FlowRevisionRepository } from '../../repositories/flows/flow-revision.repository.ts';
import { ConnectedFlows } from './connected-flows.ts';

/** Returns the features required by flows that the bot has enabled or its workspace has connected. */
export function getEnabledFeatures(
  {
    handoffEnabled,
    leadCaptureConfig,
    directoryConfig,
  }: Pick<Bot, 'handoffEnabled' | 'leadCaptureConfig' | 'directoryConfig'>,
  hasCalendar = false,
): Set<RequiredFeature> {
  const enabled = new Set<RequiredFeature>();
  if (handoffEnabled) enabled.add('handoff');
  if (leadCaptureConfig?.['enabled'] === true) enabled.add('lead_form');
  if (directoryConfig?.enabled === true) enabled.add('directory');
  if (hasCalendar) enabled.add('calendar');
  return enabled;
}

const featureNames: Record<RequiredFeature, string> = {
  handoff: 'handoff_enabled',
  lead_form: 'the lead form (lead_capture_config)',
  directory: 'the directory (directory_config)',
  calendar: 'the calendar',
};

/** Refuses changes to a bot that would make its active flows fail. */
export class FlowRequirements {
  readonly #revisions: FlowRevisionRepository;
  readonly #reach: ConnectedFlows;

  constructor(revisions: FlowRevisionRepository) {
    this.#revisions = revisions;
    this.#reach = new ConnectedFlows(revisions);
  }

  /**
   * @param before the bot before the change, locked
   * @throws AppError `conflict` if the change would disable a feature that an active flow, or a flow to which
   *   it jumps, needs
   */
  async assertFlowsStillRun(scope: OrgScope, before: Bot, changes: Partial<Bot>): Promise<void> {
    if (before.activeFlowCount === 0) return;
    const remaining = getEnabledFeatures({ ...before, ...changes });
    const lostFeatures = [...getEnabledFeatures(before)].filter((need) => !remaining.has(need));
    if (lostFeatures.length === 0) return;
    for (const { flow, graph } of await this.#revisions.listActive(scope, before.id)) {
      const graphs = [graph, ...(await this.#reach.listReachable(scope, graph)).map((each) => each.graph)];
      const needed = new Set(graphs.flatMap(({ nodes }) => nodes.map(({ type }) => nodeTypes[type].need)));
      const need = lostFeatures.find((each) => needed.has(each));
      if (need)
        throw new AppError(
          'conflict',
          `The active flow "${flow.name}" needs ${featureNames[need]}; deactivate the flow before you disable this feature.`,
        );
    }
  }
}
