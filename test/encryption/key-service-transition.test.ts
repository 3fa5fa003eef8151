import assert from 'node:assert/strict';
import { KeyServiceError, type KeyServiceFailure } from '../../adapters/keys/services/key-service.ts';
import {
  computeKeyServiceTransition,
  NO_FAILURE,
  type KeyServiceChange,
  type KnownFailure,
} from '../../services/encryption/key-service-transition.ts';

describe('computeKeyServiceTransition for a response of a key service', () => {
  const now = new Date('2026-11-27T10:10:00Z');
  const since = (minutes: number, notifiedFailure: KnownFailure['notifiedFailure']): KnownFailure => ({
    serviceFailure: 'Before.',
    serviceFailedAt: new Date(now.getTime() - minutes * 60_000),
    notifiedFailure,
  });

  const cases: [
    string,
    KnownFailure,
    KeyServiceFailure | null,
    KeyServiceChange | null,
    KnownFailure['notifiedFailure'],
  ][] = [
    ['reports a refusal at once', NO_FAILURE, 'refused', 'refused', 'refused'],
    ['reports a blocked address as a refusal', NO_FAILURE, 'url_refused', 'refused', 'refused'],
    ['reports a refusal once', since(10, 'refused'), 'refused', null, 'refused'],
    ['does not report a first outage at once', NO_FAILURE, 'unreachable', null, null],
    ['does not report an outage of two successive checks', since(4, null), 'unreachable', null, null],
    ['reports an outage after five minutes', since(5, null), 'unreachable', 'silent', 'silent'],
    ['reports an outage once', since(20, 'silent'), 'unreachable', null, 'silent'],
    ['reports a refusal after an outage', since(20, 'silent'), 'refused', 'refused', 'refused'],
    ['does not report an outage after a refusal', since(20, 'refused'), 'unreachable', null, 'refused'],
    ['reports recovery after a reported refusal', since(20, 'refused'), null, 'back', null],
    ['reports recovery after a reported outage', since(20, 'silent'), null, 'back', null],
    ['does not report recovery after an unreported outage', since(1, null), null, null, null],
  ];
  for (const [title, known, failure, change, notifiedFailure] of cases)
    it(title, () => {
      const error = failure && new KeyServiceError(failure, 'Now.');
      const serviceFailedAt = known.serviceFailedAt ?? now;
      const next = error ? { serviceFailure: 'Now.', serviceFailedAt, notifiedFailure } : NO_FAILURE;
      assert.deepEqual(computeKeyServiceTransition(known, error, now), { next, change });
    });

  it('changes nothing if the service stays healthy', () =>
    assert.deepEqual(computeKeyServiceTransition(NO_FAILURE, null, now), { next: null, change: null }));
});
