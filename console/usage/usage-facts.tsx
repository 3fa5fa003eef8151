import type { UsageSummary } from '../client/types.ts';
import { Facts } from '../ui/facts.tsx';
import { Section } from '../ui/section.tsx';

export function UsageFacts({ usage }: { usage: UsageSummary }) {
  const { messages_left: left, topup_credits_left: credits, workspaces } = usage;
  return (
    <Section title="In the month">
      <Facts
        facts={[
          ['Messages', wholeText(usage.messages)],
          ['Left of the plan', left === null ? null : wholeText(left)],
          ['Left of top-ups', credits === null ? null : wholeText(credits)],
          ['Tokens read', wholeText(usage.input_tokens)],
          ['Tokens written', wholeText(usage.output_tokens)],
          ['Cost of models', dollarText(usage.cost_usd)],
          ['Alerts', wholeText(usage.alerts)],
          ['Workspaces', workspaces === 1 ? null : wholeText(workspaces)],
        ]}
      />
    </Section>
  );
}

export function wholeText(value: number): string {
  return value.toLocaleString('en-GB');
}

/** Formats dollars; models cost fractions of a cent. */
export function dollarText(value: number): string {
  const digits = value > 0 && value < 1 ? 4 : 2;
  return `$${value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
