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
const isSource = import.meta.url.endsWith('.ts');

export interface BundleOptions {
  /** With the interceptors that make spans; they cost each workflow time, so the other bundle is without them. */
  isTraced: boolean;
}

export function bundleName({ isTraced }: BundleOptions): string {
  return isTraced ? 'workflow-bundle-traced.js' : 'workflow-bundle.js';
}

/** Bundles all workflows from their sources; production loads the bundle that the build made. */
export function bundleWorkflows({ isTraced }: BundleOptions): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowInterceptorModules: isTraced ? [createRequire(import.meta.url).resolve(INTERCEPTORS)] : [],
    workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
    logger: new DefaultLogger('WARN'),
  });
}

/**
 * The workflows as a worker runs them: from their sources in development, and otherwise as they were built.
 * @throws Error when the build has no bundle
 */
export async function loadWorkflowBundle(options: BundleOptions): Promise<WorkflowBundleOption> {
  if (isSource) return bundleWorkflows(options);
  const codePath = fileURLToPath(new URL(`../${bundleName(options)}`, import.meta.url));
  if (!existsSync(codePath)) throw new Error(`${codePath} is missing: run \`npm run build\` first.`);
  return { codePath };
}
