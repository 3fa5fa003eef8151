// Counts the licenses of all installed npm packages, and checks the production packages for known
// vulnerabilities with npm audit. Exits with 1 for a license that is not allowed, or a vulnerability of level
// high or critical.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import satisfies from 'spdx-satisfies';
import { projectRoot } from './launcher/project-root.ts';

interface LockedPackage {
  license?: string;
  dev?: boolean;
}

/**
 * Licenses of npm packages that permit use in a closed-source product. LGPL is permitted for libvips, a
 * shared library that sharp loads.
 */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
];

/** Packages whose manifest names no SPDX license, with the license that their LICENSE file contains. */
const KNOWN_LICENSES: Record<string, string> = {
  duck: 'BSD-2-Clause',
  slick: 'MIT',
  unionfs: 'Unlicense',
  'url-template': 'BSD-3-Clause',
};

const problems = [...findLicenseProblems(), ...findVulnerabilities()];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

function findLicenseProblems(): string[] {
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', projectRoot()), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const counts = new Map<string, number>();
  const refused: string[] = [];
  for (const [path, { license: declared }] of Object.entries(lock.packages)) {
    if (path === '') continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const license = KNOWN_LICENSES[name] ?? declared ?? 'none';
    counts.set(license, (counts.get(license) ?? 0) + 1);
    if (!isAllowed(license)) refused.push(`${name}: the license ${license} is not allowed.`);
  }
  for (const [license, count] of [...counts].toSorted(([, a], [, b]) => b - a))
    process.stdout.write(`${String(count).padStart(5)}  ${license}\n`);
  return refused;
}

function isAllowed(license: string): boolean {
  try {
    return satisfies(license, ALLOWED);
  } catch {
    return false;
  }
}

/**
 * Returns the vulnerabilities that `npm audit` reports. If the package registry does not answer, returns none
 * and prints a note, because many mirrors only serve packages.
 */
function findVulnerabilities(): string[] {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: projectRoot(),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const report = JSON.parse(stdout || '{}') as {
    vulnerabilities?: Record<string, { name: string; severity: string; range: string }>;
  };
  if (report.vulnerabilities === undefined) {
    process.stdout.write('npm audit: the registry did not respond; vulnerabilities were not checked.\n');
    return [];
  }
  const found = Object.values(report.vulnerabilities);
  process.stdout.write(`npm audit: ${found.length} vulnerable packages of any level.\n`);
  return found
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ name, range, severity }) => `${name} ${range} has a vulnerability of level ${severity}.`);
}
