import { useMemo } from 'react';
import { withQuery } from '../../client/paths.ts';
import type { AnswerRating, Page } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';

/** Interval in milliseconds for loading visitors' ratings, because no event reports them. */
const EVERY_MS = 20_000;
const PAGE_SIZE = 100;

/** Returns the visitor's newest ratings of answers in a conversation, by the ids of the answers. */
export function useAnswerRatings(conversationId: string): ReadonlyMap<string, AnswerRating> {
  const url = withQuery('/api/ext/answer-ratings', {
    conversation_id: conversationId,
    page_size: PAGE_SIZE,
  });
  const { data } = useApi<Page<AnswerRating>>(url, { everyMs: () => EVERY_MS });
  return useMemo(() => new Map(data?.items.map((rating) => [rating.message_id, rating])), [data]);
}
