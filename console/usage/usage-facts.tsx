import type { UsageSummary } from '../client/types.ts';
import { Section } from '../components/page/section.tsx';

export function UsageFacts({ usage }: { usage: UsageSummary }) {
  const { messages_left: left, topup_credits_left: credits, workspaces } = usage;
  return (
    <Section title="This month">
      <Figures
        figures={[
          ['Messages', formatInteger(usage.messages)],
          ['Left in plan', left === null ? null : formatInteger(left)],
          ['Left in top-ups', credits === null ? null : formatInteger(credits)],
          ['Input tokens', formatInteger(usage.input_tokens)],
          ['Output tokens', formatInteger(usage.output_tokens)],
          ['Model cost', formatDollars(usage.cost_usd)],
          ['Alerts', formatInteger(usage.alerts)],
          ['Workspaces', workspaces === 1 ? null : formatInteger(workspaces)],
        ]}
      />
    </Section>
  );
}

/** Shows figures about usage as tiles. Omits figures whose value is null. */
function Figures({ figures }: { figures: readonly (readonly [string, string | null])[] }) {
  return (
    <dl className="usage-figures">
      {figures
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function formatInteger(value: number): string {
  return value.toLocaleString('en-US');
}

/**
 * Formats an amount in dollars. Shows four decimals below one dollar, since a request to a model costs
 * fractions of a cent.
 */
export function formatDollars(value: number): string {
  const digits = value > 0 && value < 1 ? 4 : 2;
  return `$${value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
