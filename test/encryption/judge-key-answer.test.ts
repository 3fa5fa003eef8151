import assert from 'node:assert/strict';
import { KeyServiceError, type KeyServiceFailure } from '../../adapters/keys/services/key-service.ts';
import {
  judgeKeyAnswer,
  NO_FAILURE,
  type KeyServiceChange,
  type KnownFailure,
} from '../../services/encryption/judge-key-answer.ts';

describe('judging a response of a key service', () => {
  const now = new Date('2026-11-27T10:10:00Z');
  const since = (minutes: number, toldFailure: KnownFailure['toldFailure']): KnownFailure => ({
    serviceFailure: 'Before.',
    serviceFailedAt: new Date(now.getTime() - minutes * 60_000),
    toldFailure,
  });

  const cases: [
    string,
    KnownFailure,
    KeyServiceFailure | null,
    KeyServiceChange | null,
    KnownFailure['toldFailure'],
  ][] = [
    ['a refusal is told at once', NO_FAILURE, 'refused', 'refused', 'refused'],
    ['an address that may not be contacted is a refusal', NO_FAILURE, 'url_refused', 'refused', 'refused'],
    ['a refusal is told once', since(10, 'refused'), 'refused', null, 'refused'],
    ['silence is not told at once', NO_FAILURE, 'unreachable', null, null],
    ['nor by two checks that come one upon the other', since(4, null), 'unreachable', null, null],
    ['silence is told after five minutes', since(5, null), 'unreachable', 'silent', 'silent'],
    ['silence is told once', since(20, 'silent'), 'unreachable', null, 'silent'],
    ['a refusal after silence is told', since(20, 'silent'), 'refused', 'refused', 'refused'],
    ['silence after a refusal is not', since(20, 'refused'), 'unreachable', null, 'refused'],
    ['that all is well is told whoever heard of a refusal', since(20, 'refused'), null, 'back', null],
    ['and whoever heard of silence', since(20, 'silent'), null, 'back', null],
    ['and nobody else', since(1, null), null, null, null],
  ];
  for (const [title, known, failure, news, toldFailure] of cases)
    it(title, () => {
      const error = failure && new KeyServiceError(failure, 'Now.');
      const serviceFailedAt = known.serviceFailedAt ?? now;
      const next = error ? { serviceFailure: 'Now.', serviceFailedAt, toldFailure } : NO_FAILURE;
      assert.deepEqual(judgeKeyAnswer(known, error, now), { next, news });
    });

  it('changes nothing if the service stays healthy', () =>
    assert.deepEqual(judgeKeyAnswer(NO_FAILURE, null, now), { next: null, news: null }));
});
