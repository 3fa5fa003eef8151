import { startParley, type TestParley } from '../support/parley.ts';
import { browserOf } from '../support/widget.ts';

/** Starts a Parley and a visitors' browser around the tests of a `describe`. */
export function useBrowser(onStarted: (parley: TestParley) => void): ReturnType<typeof browserOf> {
  let parley: TestParley;
  let browser: ReturnType<typeof browserOf>;
  before(async () => {
    parley = await startParley();
    browser = browserOf(parley);
    onStarted(parley);
  });
  after(() => parley.stop());
  return (...given) => browser(...given);
}
