import type { KnownPath } from '../http/problems/near-paths.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { DEMO_PAGE } from './demo-page.ts';
import { listGuidePaths } from './guide-pages.ts';

const READ_METHODS = ['GET', 'HEAD'];

/** Lists the paths of Parley's pages and files, which error responses for unknown paths suggest. */
export function listPagePaths({ demoPage }: Pick<Settings, 'demoPage'>): KnownPath[] {
  const pages = [
    '/console',
    '/docs',
    '/docs/settings',
    '/errors',
    '/widget.js',
    ...(demoPage ? [DEMO_PAGE] : []),
    ...listGuidePaths(),
  ];
  return [
    ...pages.map((path) => ({ path, methods: READ_METHODS })),
    { path: '/mcp', methods: ['POST', 'OPTIONS'] },
  ];
}
