import type { UsageSummary } from '../client/types.ts';
import { Facts } from '../components/facts.tsx';
import { Section } from '../components/section.tsx';

export function UsageFacts({ usage }: { usage: UsageSummary }) {
  const { messages_left: left, topup_credits_left: credits, workspaces } = usage;
  return (
    <Section title="In the month">
      <Facts
        facts={[
          ['Messages', formatInteger(usage.messages)],
          ['Left of the plan', left === null ? null : formatInteger(left)],
          ['Left of top-ups', credits === null ? null : formatInteger(credits)],
          ['Tokens read', formatInteger(usage.input_tokens)],
          ['Tokens written', formatInteger(usage.output_tokens)],
          ['Cost of models', formatDollars(usage.cost_usd)],
          ['Alerts', formatInteger(usage.alerts)],
          ['Workspaces', workspaces === 1 ? null : formatInteger(workspaces)],
        ]}
      />
    </Section>
  );
}

export function formatInteger(value: number): string {
  return value.toLocaleString('en-GB');
}

/**
 * Formats an amount in dollars. Shows four decimals below one dollar, since a request to a model costs
 * fractions of a cent.
 */
export function formatDollars(value: number): string {
  const digits = value > 0 && value < 1 ? 4 : 2;
  return `$${value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
