import type { ConversationDetail } from '../client/types.ts';
import { Facts } from '../ui/facts.tsx';
import { SafeLink } from '../ui/safe-link.tsx';
import { TimeText } from '../ui/time-text.tsx';

export function ConversationFacts({ detail }: { detail: ConversationDetail }) {
  const { page_url: pageUrl, referrer, rating, total_cost_usd: cost } = detail;
  return (
    <section class="panel-part">
      <h3>Conversation</h3>
      <Facts
        facts={[
          ['Began', <TimeText key="began" at={detail.started_at} />],
          ['Ended', detail.ended_at && <TimeText key="ended" at={detail.ended_at} />],
          ['Consent', detail.consent],
          ['Lead', detail.is_lead ? 'yes' : 'no'],
          [
            'Rating',
            rating === null ? null : `${'★'.repeat(rating)}${'☆'.repeat(5 - rating)} ${rating} of 5`,
          ],
          ['Page', pageUrl && <SafeLink href={pageUrl}>{pageUrl}</SafeLink>],
          ['Came from', referrer && <SafeLink href={referrer}>{referrer}</SafeLink>],
          ['About', detail.title],
          ['Summary', detail.summary],
          ['Mood', detail.sentiment],
          ...Object.entries(detail.custom_fields).map(([name, value]) => [name, String(value)] as const),
          ['Cost', cost === 0 ? null : `$${cost.toFixed(4)}`],
        ]}
      />
    </section>
  );
}
