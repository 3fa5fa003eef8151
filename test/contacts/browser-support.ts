import { startParley, type TestParley } from '../support/parley.ts';
import { createSessionStarter } from '../support/widget.ts';

/** Starts a Parley and a browser for visitors, around the tests of a `describe`. */
export function useBrowser(onStarted: (parley: TestParley) => void): ReturnType<typeof createSessionStarter> {
  let parley: TestParley;
  let browser: ReturnType<typeof createSessionStarter>;
  before(async () => {
    parley = await startParley();
    browser = createSessionStarter(parley);
    onStarted(parley);
  });
  after(() => parley.stop());
  return (...given) => browser(...given);
}
