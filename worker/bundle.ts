import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  type WorkflowBundleOption,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';

const isSource = import.meta.url.endsWith('.ts');

/** Bundles all workflows from their sources; production loads the bundle that the build made. */
export function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
    logger: new DefaultLogger('WARN'),
  });
}

/**
 * The workflows as a worker runs them: from their sources in development, and otherwise as they were built.
 * @throws Error when the build has no bundle
 */
export async function loadWorkflowBundle(): Promise<WorkflowBundleOption> {
  if (isSource) return bundleWorkflows();
  const codePath = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
  if (!existsSync(codePath)) throw new Error(`${codePath} is missing: run \`npm run build\` first.`);
  return { codePath };
}
