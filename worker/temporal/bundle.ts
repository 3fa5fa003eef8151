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
/** Path relative to this file, which runs compiled or from source. */
const DIST = import.meta.url.endsWith('.ts') ? '../../dist' : '../..';

export interface BundleOptions {
  /** With the interceptors that make spans; those cost each workflow time, so the other bundle is without them. */
  isTraced: boolean;
}

export function bundleName({ isTraced }: BundleOptions): string {
  return isTraced ? 'workflow-bundle-traced.js' : 'workflow-bundle.js';
}

/** Bundles all workflows from their sources, for the build. */
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
 * The workflows as a worker runs them: as they were built.
 * @throws Error when the build has no bundle
 */
export function loadWorkflowBundle(options: BundleOptions): WorkflowBundleOption {
  const codePath = fileURLToPath(new URL(`${DIST}/${bundleName(options)}`, import.meta.url));
  if (!existsSync(codePath)) throw new Error(`${codePath} is missing: run \`npm run build\` first.`);
  return { codePath };
}
