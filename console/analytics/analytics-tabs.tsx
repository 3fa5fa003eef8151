import { buildHref } from '../router.ts';
import { Tabs } from '../components/page/tabs.tsx';

export function AnalyticsTabs({ current }: { current: 'overview' | 'questions' | 'answers' }) {
  return (
    <Tabs
      label="Analytics"
      current={current}
      tabs={[
        { id: 'overview', name: 'Overview', href: buildHref(['analytics']) },
        { id: 'questions', name: 'Questions', href: buildHref(['analytics', 'questions']) },
        { id: 'answers', name: 'Answers', href: buildHref(['analytics', 'answers']) },
      ]}
    />
  );
}
