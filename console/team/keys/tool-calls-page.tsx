import { Anchor, Text, UnstyledButton } from '@mantine/core';
import { toolNames } from '../../../core/mcp/tool-names.ts';
import type { ToolInvocation } from '../../client/types.ts';
import type { DataColumn } from '../../components/lists/data-table.tsx';
import { Facts } from '../../components/lists/facts.tsx';
import { FilterChip } from '../../components/lists/filter-chip.tsx';
import { RefreshButton } from '../../components/dialogs/refresh-button.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { Status } from '../../components/lists/status.tsx';
import { buildHref, goTo } from '../../router.ts';
import { useList } from '../../state/use-list.ts';
import { TeamFrame } from '../team-frame.tsx';
import { LogView, outcomes, type LogPageProps } from './log-view.tsx';

/** Page that lists the MCP tool calls of AI assistants, and explains how to connect an assistant. */
export function ToolCallsPage({ team, filters }: LogPageProps) {
  const list = useList<ToolInvocation>('/api/tool-invocations', filters);
  const filterBy = (name: string) => (value: string) =>
    goTo(buildHref(['team', 'tools'], { ...filters, [name]: value }));
  return (
    <TeamFrame team={team} tab="tools" tools={<RefreshButton onRefresh={list.reload} />}>
      <Text c="dimmed">
        Connect an AI assistant that supports the Model Context Protocol to{' '}
        <code>{`${location.origin}/mcp`}</code> with an API key. The assistant can do whatever the key allows.{' '}
        <Anchor inherit href="/docs/guides/mcp" target="_blank">
          Read the guide
        </Anchor>
      </Text>
      <div className="filter-bar" role="group" aria-label="Filters">
        <FilterChip
          name="Tool"
          value={filters['tool'] ?? ''}
          options={toolNames.map((name) => [name, name] as const)}
          onChange={filterBy('tool')}
        />
        <FilterChip
          name="Outcome"
          value={filters['outcome'] ?? ''}
          options={outcomes}
          onChange={filterBy('outcome')}
        />
      </div>
      <LogView
        list={list}
        filters={filters}
        label="Tool calls"
        noun="tool call"
        tab="tools"
        empty="Calls from connected assistants are listed here."
        createColumns={createColumns}
        renderDetails={(call) => <CallFacts call={call} />}
      />
    </TeamFrame>
  );
}

function createColumns(onOpen: (call: ToolInvocation) => void): DataColumn<ToolInvocation>[] {
  return [
    {
      name: 'Tool',
      render: (call) => (
        <>
          <UnstyledButton className="cell-link" onClick={() => onOpen(call)}>
            {call.tool}
          </UnstyledButton>
          <span className="cell-note cell-cut">{formatArguments(call.arguments)}</span>
        </>
      ),
    },
    { name: 'Outcome', render: (call) => <CallStatus call={call} /> },
    { name: 'Duration', kind: 'number', render: ({ duration_ms: ms }) => `${ms} ms` },
    { name: 'API key', render: ({ api_key_name: name }) => name ?? 'Deleted key' },
    { name: 'Client', render: ({ client }) => client ?? '–' },
    { name: 'Time', render: ({ created_at: at }) => <RelativeTime at={at} /> },
  ];
}

function CallStatus({ call: { outcome, error_code: code } }: { call: ToolInvocation }) {
  const isGood = outcome === 'succeeded';
  return (
    <>
      <Status tone={isGood ? 'good' : 'bad'}>{isGood ? 'Succeeded' : 'Failed'}</Status>
      {code !== null && <span className="cell-note">{code}</span>}
    </>
  );
}

function CallFacts({ call }: { call: ToolInvocation }) {
  return (
    <Facts
      facts={[
        ['Tool', call.tool],
        ...Object.entries(call.arguments).map(([name, value]) => [name, formatArgument(value)] as const),
        ['Outcome', <CallStatus key="outcome" call={call} />],
        ['Duration', `${call.duration_ms} ms`],
        ['API key', call.api_key_name ?? 'Deleted key'],
        ['Client', call.client],
        ['Time', <RelativeTime key="time" at={call.created_at} />],
        ['Request ID', <code key="id">{call.request_id}</code>],
      ]}
    />
  );
}

function formatArguments(toolArguments: Record<string, unknown>): string {
  return Object.entries(toolArguments)
    .map(([name, value]) => `${name}: ${formatArgument(value)}`)
    .join(', ');
}

/** Formats an argument of an assistant's tool call. For a long text, the log contains only its length. */
function formatArgument(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'length' in value && !Array.isArray(value))
    return `${String(value.length)} characters`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
