import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { TurnGate } from '../../services/conversations/answering/turn-gate.ts';

/** Number of pending visitors' messages and answers from which new messages take precedence over answers. */
const CROWD = 32;

describe('TurnGate', () => {
  const buildTurn = () => {
    let finish = () => {};
    const turn = new Promise<void>((resolve) => (finish = resolve));
    return { turn, finish };
  };
  const isOpen = (passed: Promise<void>) => Promise.race([passed.then(() => true), sleep(0, false)]);

  it('admits answers at once below 32 pending turns and answers, even while a turn is being written', async () => {
    const gate = new TurnGate(() => CROWD - 2);
    const { turn, finish } = buildTurn();
    const admitted = gate.trackWrite(turn);
    await gate.waitForTurns();
    finish();
    await admitted;
  });

  it('admits all answers once the last turn of a crowd is written', async () => {
    const gate = new TurnGate(() => CROWD);
    const [first, second] = [buildTurn(), buildTurn()];
    const admitted = [gate.trackWrite(first.turn), gate.trackWrite(second.turn)];
    const answers = [gate.waitForTurns(), gate.waitForTurns()];
    first.finish();
    await admitted[0];
    assert.equal(await isOpen(answers[0]!), false);
    second.finish();
    await Promise.all([...admitted, ...answers]);
  });

  it('admits answers after a quarter of a second, even while a turn is being written', async () => {
    const gate = new TurnGate(() => CROWD);
    const { turn, finish } = buildTurn();
    const admitted = gate.trackWrite(turn);
    await gate.waitForTurns();
    finish();
    await admitted;
  });

  it('closes again for the next crowd of turns', async () => {
    const gate = new TurnGate(() => CROWD);
    await gate.waitForTurns();
    const { turn, finish } = buildTurn();
    const admitted = gate.trackWrite(turn);
    const answer = gate.waitForTurns();
    assert.equal(await isOpen(answer), false);
    finish();
    await Promise.all([admitted, answer]);
  });

  it('passes on the error of a turn, and opens afterwards', async () => {
    const gate = new TurnGate(() => CROWD);
    const failed = gate.trackWrite(Promise.reject(new Error('refused')));
    const answer = gate.waitForTurns();
    await assert.rejects(failed, new Error('refused'));
    await answer;
  });
});
