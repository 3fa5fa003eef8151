import type { Browser } from 'playwright-core';
import { openSharedBrowser } from './browser.ts';
import { startHostSite, type HostSite } from './host-site.ts';
import { startModelServer, type ModelScript, type ModelServer } from './model-server.ts';
import { startParley, type TestParley } from './parley.ts';
import { WidgetVisits } from './widget-page.ts';
import type { TestSettings } from './test-settings.ts';

/** Servers and browser of a widget test, filled in by the first hook. */
export interface WidgetScene {
  browser: Browser;
  model: ModelServer;
  parley: TestParley;
  site: HostSite;
  visits: WidgetVisits;
  /** Answer of the fake model; reset before each test. */
  answer: string | ModelScript | ((question: string) => string | ModelScript);
}

export const DAY_PASS = 'A day pass costs **12 euros**.';

/** Registers the Mocha hooks of a suite that runs the widget in a browser, and skips the suite without a browser. */
export function useWidgetScene(start: (env: TestSettings) => Promise<TestParley> = startParley): WidgetScene {
  const scene = {} as WidgetScene;
  before(async function () {
    const browser = await openSharedBrowser();
    if (browser === null) return this.skip();
    const model = await startModelServer({
      answer: ({ messages }) =>
        typeof scene.answer === 'function' ? scene.answer(messages.at(-1)?.content ?? '') : scene.answer,
    });
    const parley = await start({ PARLEY_MODEL_BASE_URL: model.baseUrl });
    const site = await startHostSite();
    Object.assign(scene, { browser, model, parley, site, visits: new WidgetVisits(parley, browser, site) });
  });
  beforeEach(() => {
    scene.answer = DAY_PASS;
  });
  afterEach(() => scene.visits?.closeAll());
  after(async () => {
    await scene.site?.close();
    await scene.parley?.stop();
    await scene.model?.close();
  });
  return scene;
}
