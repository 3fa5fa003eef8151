import { devices, checkAllPlaces } from '../console/places.ts';
import { useConsoles } from '../console/support.ts';
import { startParley, type TestParley } from '../support/parley.ts';

describe('the console on every device', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  it('has headings, landmarks and accessible names, and fits the screen, in light and dark mode', () =>
    checkAllPlaces(parley, consoles(), devices));
});
