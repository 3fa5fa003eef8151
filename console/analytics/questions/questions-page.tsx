import { Button } from '@mantine/core';
import { useState } from 'react';
import { addDays } from '../../../core/local-time.ts';
import { withQuery } from '../../client/paths.ts';
import type { KnowledgeDocument, QuestionCluster } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import { goTo, buildHref } from '../../router.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { IconDownload, IconHelp } from '../../shell/icons.ts';
import { Page } from '../../components/page/page.tsx';
import { saveFile } from '../../components/save-file.ts';
import { AnalyticsTabs } from '../analytics-tabs.tsx';
import { readQuestionFilters, QuestionFilters } from './question-filters.tsx';
import { toQuestionsCsv } from './question-file.ts';
import { QuestionTable } from './question-table.tsx';

export interface QuestionsPageProps {
  filters: Record<string, string>;
}

const MAX_QUESTIONS = 50;

/**
 * Lists frequent and unanswered questions of visitors. The user can write an answer, which becomes a document
 * of the bot.
 */
export function QuestionsPage({ filters }: QuestionsPageProps) {
  const chosen = readQuestionFilters(filters);
  const { days, sort } = chosen;
  const to = new Date().toISOString().slice(0, 10);
  const from = addDays(to, 1 - Number(days));
  const url = withQuery('/api/analytics/questions', {
    from,
    to,
    bot_id: filters['bot_id'],
    sort,
    limit: MAX_QUESTIONS,
  });
  const loaded = useApi<QuestionCluster[]>(url, { reloadsOnVisit: true });
  const [answers, setAnswers] = useState<ReadonlyMap<string, KnowledgeDocument>>(new Map());
  return (
    <Page
      title="Analytics"
      tools={
        loaded.data !== undefined && <SaveButton questions={loaded.data} name={`questions-${from}-${to}`} />
      }
    >
      <AnalyticsTabs current="questions" />
      <QuestionFilters
        filters={filters}
        chosen={chosen}
        onChange={(changed) => goTo(buildHref(['analytics', 'questions'], { ...filters, ...changed }))}
      />
      <LoadedView loaded={loaded}>
        {(questions) =>
          questions.length === 0 ? (
            <EmptyState icon={<IconHelp size={32} />} title="No questions in this period">
              New questions appear here within five minutes of being answered.
            </EmptyState>
          ) : (
            <QuestionTable
              questions={questions}
              answers={answers}
              onAnswer={(id, document) => setAnswers((known) => new Map(known).set(id, document))}
            />
          )
        }
      </LoadedView>
    </Page>
  );
}

function SaveButton({ questions, name }: { questions: readonly QuestionCluster[]; name: string }) {
  const saveCsv = (): void =>
    saveFile(new Blob([toQuestionsCsv(questions)], { type: 'text/csv' }), `${name}.csv`);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload />}
      disabled={questions.length === 0}
      onClick={saveCsv}
    >
      Export CSV
    </Button>
  );
}
