import { BotFilter } from '../../bots/bot-filter.tsx';
import { withQuery } from '../../client/paths.ts';
import type { AnswerRating, AnswerRatingSummary } from '../../client/types.ts';
import { SelectField } from '../../components/forms/fields.tsx';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { ListView } from '../../components/lists/list-view.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { Page } from '../../components/page/page.tsx';
import { buildHref, goTo } from '../../router.ts';
import { IconThumbUp } from '../../shell/icons.ts';
import { useApi } from '../../state/use-api.ts';
import { useList } from '../../state/use-list.ts';
import { AnalyticsTabs } from '../analytics-tabs.tsx';
import { OverviewTiles } from '../overview/overview-tiles.tsx';
import { RatingTable } from './rating-table.tsx';
import { toRatingTiles } from './rating-tiles.ts';

export interface AnswersPageProps {
  filters: Record<string, string>;
}

const ratings = [
  ['', 'All ratings'],
  ['down', 'Not helpful'],
  ['up', 'Helpful'],
] as const;

/** Lists the answers that visitors rated, with the visitors' comments on them. */
export function AnswersPage({ filters }: AnswersPageProps) {
  const { bot_id: botId = '' } = filters;
  const rating = ratings.find(([each]) => each === filters['rating'])?.[0] ?? '';
  const summary = useApi<AnswerRatingSummary>(
    withQuery('/api/ext/analytics/answer-ratings', { bot_id: botId || undefined }),
    { reloadsOnVisit: true },
  );
  const list = useList<AnswerRating>('/api/ext/answer-ratings', {
    bot_id: botId || undefined,
    rating: rating || undefined,
  });
  const filterBy = (changed: Record<string, string>): void =>
    goTo(buildHref(['analytics', 'answers'], { ...filters, ...changed }));
  return (
    <Page title="Analytics" tabs={<AnalyticsTabs current="answers" />}>
      <div className="filters">
        <SelectField
          label="Rating"
          value={rating}
          options={ratings}
          onChange={(chosen) => filterBy({ rating: chosen })}
        />
        <BotFilter value={botId} onChange={(id) => filterBy({ bot_id: id })} />
      </div>
      <LoadedView loaded={summary}>
        {(shown) =>
          shown.helpful_rate !== null && <OverviewTiles tiles={toRatingTiles(shown)} filters={{}} />
        }
      </LoadedView>
      <ListView
        list={list}
        noun="rated answer"
        empty={
          <EmptyState icon={<IconThumbUp size={32} />} title="No rated answers yet">
            Visitors rate an answer with the thumbs-up and thumbs-down buttons below it.
          </EmptyState>
        }
        filters={filters}
        clearHref={buildHref(['analytics', 'answers'])}
      >
        {(rows) => <RatingTable ratings={rows} />}
      </ListView>
    </Page>
  );
}
