import { Text } from '@mantine/core';
import { useState } from 'react';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import type { Plan, Subscription } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { describePurchase, formatMoney, formatNumber } from '../billing-words.ts';
import { useIsOwner } from '../../session/use-is-owner.ts';
import { useCheckout } from './use-checkout.ts';

const MAX_UNITS = 100;

export interface TopUpProps {
  /** The offer of top-ups, which the API lists among the plans. */
  plan: Plan;
  subscription: Subscription;
}

/** Form that buys top-ups: messages in addition to the plan's limit, for a single payment. */
export function TopUp({ plan, subscription }: TopUpProps) {
  const isOwner = useIsOwner();
  const buy = useCheckout(subscription);
  const [units, setUnits] = useState('1');
  const purchase = useAction(() => buy(plan.tier, Number(units)));
  const count = /^\d+$/.test(units) ? Number(units) : 0;
  const isBuyable = count >= 1 && count <= MAX_UNITS;
  return (
    <Section title="Message top-ups">
      <Text>
        {formatNumber(plan.credits ?? 0)} messages for {formatMoney(plan.amount_cents, plan.currency)}, paid
        once. Top-ups apply after the month's messages are used up. They don't expire.
      </Text>
      {isOwner && (
        <Form isReady={isBuyable && !purchase.isBusy} onSubmit={() => purchase.run()}>
          <TextField
            label={`Units of ${formatNumber(plan.credits ?? 0)} messages`}
            type="number"
            min={1}
            max={MAX_UNITS}
            value={units}
            onChange={setUnits}
            problem={describeFieldProblem(purchase.problem, 'quantity', 'The number')}
            isRequired
          />
          <SubmitButton isBusy={purchase.isBusy}>
            {isBuyable
              ? `Buy ${describePurchase('topup', count, [plan])} for ${formatMoney(count * plan.amount_cents, plan.currency)}`
              : 'Buy'}
          </SubmitButton>
        </Form>
      )}
      <ProblemMessage problem={purchase.problem} inlineFields={['quantity']} />
    </Section>
  );
}
