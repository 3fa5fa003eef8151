import { Button } from '@mantine/core';
import { BotFilter } from '../bots/bot-filter.tsx';
import { useTypedFilter } from '../state/use-typed-filter.ts';
import { SelectField, TextField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';

export interface ConversationFiltersProps {
  filters: Record<string, string>;
  onChange(changed: Record<string, string>): void;
}

const statuses = [
  ['', 'Any status'],
  ['active', 'With the bot'],
  ['waiting_human', 'Waiting for a person'],
  ['human', 'With a person'],
  ['ended', 'Ended'],
] as const;

const ratings = [
  ['', 'Any rating'],
  ...[5, 4, 3, 2, 1].map((rating) => [String(rating), `${'★'.repeat(rating)} ${rating}`] as const),
] as const;

const leads = [
  ['', 'Leads and others'],
  ['true', 'Leads'],
  ['false', 'No leads'],
] as const;

const orders = [
  ['', 'Last message first'],
  ['started', 'Newest first'],
] as const;

const resolutions = [
  ['', 'Resolved or not'],
  ['true', 'Resolved'],
  ['false', 'Not resolved'],
] as const;

const visitors = [
  ['', 'Visitor wrote or not'],
  ['true', 'Visitor wrote'],
  ['false', 'Visitor wrote nothing'],
] as const;

export function ConversationFilters({ filters, onChange }: ConversationFiltersProps) {
  const [text, setText] = useTypedFilter(filters['q']);
  return (
    <Form className="filters" role="search" onSubmit={() => onChange({ q: text.trim() })}>
      <SelectField
        label="Status"
        value={filters['status'] ?? ''}
        options={statuses}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label="Rating"
        value={filters['rating'] ?? ''}
        options={ratings}
        onChange={(rating) => onChange({ rating })}
      />
      <SelectField
        label="Lead"
        value={filters['is_lead'] ?? ''}
        options={leads}
        onChange={(isLead) => onChange({ is_lead: isLead })}
      />
      <SelectField
        label="Resolved"
        value={filters['resolved'] ?? ''}
        options={resolutions}
        onChange={(resolved) => onChange({ resolved })}
      />
      <SelectField
        label="Visitor"
        value={filters['has_visitor_message'] ?? ''}
        options={visitors}
        onChange={(hasWritten) => onChange({ has_visitor_message: hasWritten })}
      />
      <BotFilter value={filters['bot_id'] ?? ''} onChange={(botId) => onChange({ bot_id: botId })} />
      <SelectField
        label="Order"
        value={filters['sort'] ?? ''}
        options={orders}
        onChange={(sort) => onChange({ sort })}
      />
      <TextField label="Text or visitor" type="search" value={text} onChange={setText} maxLength={200} />
      <Button variant="default" type="submit">
        Search
      </Button>
    </Form>
  );
}
