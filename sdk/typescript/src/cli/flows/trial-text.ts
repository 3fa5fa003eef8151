import type { FlowTestResponse } from '../../generated/models.ts';
import { formatTable } from '../command.ts';
import { labelText, oneLine } from '../safe-text.ts';

const speakers = { user: 'visitor', assistant: 'bot' };

/** Describes a test run of a flow: the messages, the steps that ran and the outcome. */
export function formatTrial(trial: FlowTestResponse): string {
  const { messages, path, warnings, lacking } = trial;
  const dialogue = messages.map(({ role, content }) => labelText(speakers[role as 'user'] ?? role, content));
  const steps = path.map(({ node_id: node, type, port, changed, note }) => [
    node,
    type,
    port === null ? '' : `→ ${port}`,
    [...Object.entries(changed).map(formatChange), ...(note === null ? [] : [note])].join('  '),
  ]);
  const rest = [
    formatOutcome(trial),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...lacking.map(({ message }) => `Needed for activation: ${message}`),
  ];
  return [
    ...dialogue,
    ...(dialogue.length > 0 ? [''] : []),
    formatTable(steps),
    '',
    ...rest.map(oneLine),
  ].join('\n');
}

function formatChange([name, value]: [string, unknown]): string {
  return `${name} = ${JSON.stringify(value)}`;
}

function formatOutcome({ outcome, waiting_for: inputRequest, error }: FlowTestResponse): string {
  if (error) return `Failed at ${error.node_id}: ${error.message} (${error.code})`;
  if (inputRequest) {
    const options = inputRequest.options.map(({ label }) => label).join(', ');
    return `Waits at ${inputRequest.node_id} for ${inputRequest.kind}${options === '' ? '' : `: ${options}`}.`;
  }
  return outcome === 'handed_over' ? 'Handed over to the team.' : 'Ended.';
}
