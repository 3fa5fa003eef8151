import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  type WorkflowBundleOption,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';

const INTERCEPTORS = '@temporalio/interceptors-opentelemetry/lib/workflow-interceptors.js';
/**
 * Path of the folder with the build's output relative to this file, which is either the source or the
 * compiled file.
 */
const DIST = import.meta.url.endsWith('.ts') ? '../../dist' : '../..';

export interface BundleOptions {
  /**
   * True to include the interceptors that create trace spans. They slow down every workflow, so a second
   * bundle omits them.
   */
  isTraced: boolean;
}

export function nameBundle({ isTraced }: BundleOptions): string {
  return isTraced ? 'workflow-bundle-traced.js' : 'workflow-bundle.js';
}

/** Bundles the sources of all workflows, for the build. */
export function bundleWorkflows({ isTraced }: BundleOptions): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowInterceptorModules: [
      fileURLToPath(new URL('../../workflows/shared/wait-for-keys.ts', import.meta.url)),
      ...(isTraced ? [createRequire(import.meta.url).resolve(INTERCEPTORS)] : []),
    ],
    workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
    logger: new DefaultLogger('WARN'),
  });
}

/**
 * Returns the bundle of all workflows from the build.
 * @throws Error if the build lacks the bundle
 */
export function loadWorkflowBundle(options: BundleOptions): WorkflowBundleOption {
  const codePath = fileURLToPath(new URL(`${DIST}/${nameBundle(options)}`, import.meta.url));
  if (!existsSync(codePath)) throw new Error(`${codePath} is missing: run \`npm run build\` first.`);
  return { codePath };
}
