import { path } from '../../client/paths.ts';
import type { BotRead, ConversationDetail } from '../../client/types.ts';
import { useLoad } from '../../state/use-load.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { Facts } from '../../components/facts.tsx';
import { SafeLink } from '../../components/safe-link.tsx';
import { TimeText } from '../../components/time-text.tsx';

export function ConversationFacts({ detail }: { detail: ConversationDetail }) {
  const { client } = useSession();
  const botUrl = path`/api/bots/${detail.bot_id}`;
  const { data: bot } = useLoad((signal) => client.get<BotRead>(botUrl, signal), [client, botUrl]);
  const { page_url: pageUrl, referrer, rating, total_cost_usd: cost } = detail;
  return (
    <section className="panel-part">
      <h3>Conversation</h3>
      <Facts
        facts={[
          ['Bot', bot && <a href={buildHref(['bots', bot.id])}>{bot.name}</a>],
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
          ...listOwnFields(detail),
          ['Cost', cost === 0 ? null : `$${cost.toFixed(4)}`],
        ]}
      />
    </section>
  );
}

/** Returns the custom fields of the visitor, except for copies of the contact's name and address. */
function listOwnFields(detail: ConversationDetail): [name: string, value: string][] {
  const { contact_name: name, contact_email: email } = detail;
  const contactValues: Readonly<Record<string, string | null>> = { name, email };
  return Object.entries(detail.custom_fields).flatMap(([field, value]) =>
    contactValues[field] === value ? [] : [[field, String(value)]],
  );
}
