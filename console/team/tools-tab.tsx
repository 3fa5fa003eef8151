import { Button } from '@mantine/core';
import { toolNames } from '../../core/mcp/tool-names.ts';
import type { ToolInvocation } from '../client/types.ts';
import { usePages } from '../state/use-pages.ts';
import { goTo, buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { Badge } from '../components/badge.tsx';
import { SelectField } from '../components/fields.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Table } from '../components/table.tsx';
import { TimeText } from '../components/time-text.tsx';

const outcomes = [
  ['', 'Any outcome'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
] as const;

/** Lists the tool calls of AI assistants, and explains how to connect an assistant. */
export function ToolsTab({ filters }: { filters: Record<string, string> }) {
  const { client } = useSession();
  const pages = usePages<ToolInvocation>(client, '/api/tool-invocations', filters);
  const filterBy = (name: string, value: string) =>
    goTo(buildHref(['team', 'tools'], { ...filters, [name]: value }));
  return (
    <>
      <p>
        Assistants that speak the Model Context Protocol reach the workspace at{' '}
        <code>{`${location.origin}/mcp`}</code> with one of its API keys, and do what the key may do.
      </p>
      <div className="filters">
        <SelectField
          label="Tool"
          value={filters['tool'] ?? ''}
          options={[['', 'All tools'], ...toolNames.map((name) => [name, name] as const)]}
          onChange={(tool) => filterBy('tool', tool)}
        />
        <SelectField
          label="Outcome"
          value={filters['outcome'] ?? ''}
          options={outcomes}
          onChange={(outcome) => filterBy('outcome', outcome)}
        />
        <Button variant="default" onClick={pages.reload}>
          Refresh
        </Button>
      </div>
      <LoadedView loaded={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="empty">
              {Object.keys(filters).length === 0
                ? 'No tool has been called yet.'
                : 'No call fits these filters.'}
            </p>
          ) : (
            <ToolTable calls={items} />
          )
        }
      </LoadedView>
      <MoreButton pages={pages} noun="call" plural="calls" />
    </>
  );
}

function ToolTable({ calls }: { calls: readonly ToolInvocation[] }) {
  return (
    <Table columns={['When', 'Tool', 'Given', 'Outcome', 'Took', 'Key', 'Client']}>
      {calls.map((call) => (
        <tr key={call.id} data-id={call.id}>
          <td>
            <TimeText at={call.created_at} />
          </td>
          <td>{call.tool}</td>
          <td className="wide">{formatArguments(call.arguments)}</td>
          <td>
            <Badge state={call.outcome} />
            {call.error_code !== null && ` ${call.error_code}`}
          </td>
          <td>{call.duration_ms} ms</td>
          <td>{call.api_key_name ?? 'a key that is gone'}</td>
          <td>{call.client ?? '–'}</td>
        </tr>
      ))}
    </Table>
  );
}

function formatArguments(given: Record<string, unknown>): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}: ${formatArgument(value)}`)
    .join(', ');
}

/** Formats an argument of a tool call. For a long text, the log contains only its length. */
function formatArgument(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'length' in value && !Array.isArray(value))
    return `${String(value.length)} characters`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
