import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { integratorAreas, selectIntegratorChanges } from '../../scripts/guides/integrator-changes.ts';

const changelog = `# Changelog

## [Unreleased]

### Changed

- API: one.
- The console is faster.

### Fixed

- The console is faster.

## [0.2.0] - 2026-12-24

### Fixed

- The console is faster.

## [0.1.0] - 2026-11-28

### Added

- SDKs: two.
`;

describe('selectIntegratorChanges', () => {
  it('returns the entries of the areas for integrators, with release dates, and no empty sections', () => {
    const selected = selectIntegratorChanges(changelog);
    assert.equal(
      selected.slice(selected.indexOf('## ')),
      '## Unreleased\n\n### Changed\n\n- API: one.\n\n## 0.1.0 - 2026-11-28\n\n### Added\n\n- SDKs: two.\n',
    );
  });

  it('returns entries of each area', () => {
    const selected = selectIntegratorChanges(readFileSync('CHANGELOG.md', 'utf8'));
    assert.deepEqual(
      integratorAreas.filter((area) => !selected.includes(`\n- ${area}: `)),
      [],
    );
  });
});
