import { NoSuchPage } from '../no-such-page.tsx';
import { UsagePage } from './usage-page.tsx';

export interface UsageAreaProps {
  part: string | undefined;
  query: Record<string, string>;
}

export function UsageArea({ part, query }: UsageAreaProps) {
  return part === undefined ? <UsagePage filters={query} /> : <NoSuchPage />;
}
