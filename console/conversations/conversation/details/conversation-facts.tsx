import type { Bot, ConversationDetail } from '../../../client/types.ts';
import { path } from '../../../client/paths.ts';
import { capitalize } from '../../../components/text/capitalize.ts';
import { Facts } from '../../../components/lists/facts.tsx';
import { RelativeTime } from '../../../components/text/relative-time.tsx';
import { SafeLink } from '../../../components/text/safe-link.tsx';
import { buildHref } from '../../../router.ts';
import { useApi } from '../../../state/use-api.ts';
import { formatCount } from '../../../components/text/format-count.ts';

export function ConversationFacts({ detail }: { detail: ConversationDetail }) {
  const { data: bot } = useApi<Bot>(path`/api/bots/${detail.bot_id}`);
  const { page_url: pageUrl, referrer, rating, total_cost_usd: cost, consent, sentiment } = detail;
  return (
    <Facts
      facts={[
        ['Bot', bot && <a href={buildHref(['bots', bot.id])}>{bot.name}</a>],
        ['Started', <RelativeTime key="started" at={detail.started_at} />],
        ['Ended', detail.ended_at && <RelativeTime key="ended" at={detail.ended_at} />],
        ['Messages', formatCount(detail.message_count, 'message')],
        ['Page', pageUrl && <SafeLink href={pageUrl}>{shortenUrl(pageUrl)}</SafeLink>],
        ['Referrer', referrer && <SafeLink href={referrer}>{shortenUrl(referrer)}</SafeLink>],
        ['Topic', detail.title],
        ['Summary', detail.summary],
        ['Sentiment', sentiment && capitalize(sentiment)],
        ['Rating', rating === null ? null : <Stars key="rating" rating={rating} />],
        ['Consent', consent === 'unknown' ? 'Not asked' : capitalize(consent)],
        ...listOwnFields(detail),
        ['Cost', cost === 0 ? null : `$${cost.toFixed(4)}`],
      ]}
    />
  );
}

/** Shows a visitor's rating as stars. */
export function Stars({ rating }: { rating: number }) {
  return (
    <span className="stars" role="img" aria-label={`${rating} of 5`} title={`${rating} of 5`}>
      {'★'.repeat(rating)}
      {'☆'.repeat(5 - rating)}
    </span>
  );
}

/** Returns a URL without its scheme and query, for display. An invalid URL stays unchanged. */
function shortenUrl(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, host, pathname } = new URL(address);
  return protocol.startsWith('http') ? host + (pathname === '/' ? '' : pathname) : address;
}

/** Returns the custom fields of the visitor, except for copies of the contact's name and address. */
function listOwnFields(detail: ConversationDetail): [name: string, value: string][] {
  const { contact_name: name, contact_email: email } = detail;
  const contactValues: Readonly<Record<string, string | null>> = { name, email };
  return Object.entries(detail.custom_fields).flatMap(([field, value]) =>
    contactValues[field] === value ? [] : [[capitalize(field), String(value)]],
  );
}
