import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from '../../components/forms/form.tsx';
import type { BotFormState } from './use-bot-form.ts';

export interface FormSectionProps {
  /** DOM id of the form, to which the Save button outside of the form refers. */
  id: string;
  form: BotFormState;
  isReadOnly: boolean;
  children: ReactNode;
}

/** Form with the settings of one section of the bot studio. */
export function FormSection({ id, form: { isChanged, save }, isReadOnly, children }: FormSectionProps) {
  return (
    <Form id={id} className="studio-form" isReady={isChanged} onSubmit={() => save.run()}>
      {isReadOnly && <Text c="dimmed">You have view-only access.</Text>}
      <fieldset className="plain-fieldset" disabled={isReadOnly}>
        {children}
      </fieldset>
    </Form>
  );
}
