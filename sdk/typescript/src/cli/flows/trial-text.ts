import type { FlowTestResponse } from '../../generated/models.ts';
import { table } from '../command.ts';
import { labelled, oneLine } from '../safe-text.ts';

const speakers = { user: 'visitor', assistant: 'bot' };

/** Describes a test run: the messages, the path and the outcome. */
export function trialText(trial: FlowTestResponse): string {
  const { messages, path, warnings, lacking } = trial;
  const said = messages.map(({ role, content }) => labelled(speakers[role as 'user'] ?? role, content));
  const way = path.map(({ node_id: node, type, port, changed, note }) => [
    node,
    type,
    port === null ? '' : `→ ${port}`,
    [...Object.entries(changed).map(changeText), ...(note === null ? [] : [note])].join('  '),
  ]);
  const rest = [
    endText(trial),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...lacking.map(({ message }) => `To be activated it lacks: ${message}`),
  ];
  return [...said, ...(said.length > 0 ? [''] : []), table(way), '', ...rest.map(oneLine)].join('\n');
}

function changeText([name, value]: [string, unknown]): string {
  return `${name} = ${JSON.stringify(value)}`;
}

function endText({ outcome, waiting_for: asked, error }: FlowTestResponse): string {
  if (error) return `Failed at ${error.node_id}: ${error.message} (${error.code})`;
  if (asked) {
    const options = asked.options.map(({ label }) => label).join(', ');
    return `Waits at ${asked.node_id} for ${asked.kind}${options === '' ? '' : `: ${options}`}.`;
  }
  return outcome === 'handed_over' ? 'Handed over to people.' : 'Ended.';
}
