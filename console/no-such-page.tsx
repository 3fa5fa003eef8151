import { buildHref } from './router.ts';
import { Page } from './components/page/page.tsx';

export function NoSuchPage() {
  return (
    <Page title="Page not found">
      <p className="empty">
        We couldn't find that page. <a href={buildHref(['inbox'])}>Go to the inbox</a>
      </p>
    </Page>
  );
}
