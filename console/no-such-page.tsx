import { buildHref } from './router.ts';
import { Page } from './ui/page.tsx';

export function NoSuchPage() {
  return (
    <Page title="No such page">
      <p class="empty">
        There is nothing at this address. <a href={buildHref(['inbox'])}>Go to the inbox</a>
      </p>
    </Page>
  );
}
