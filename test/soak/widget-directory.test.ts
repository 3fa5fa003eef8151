import assert from 'node:assert/strict';
import { useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';

describe('the widget with a directory', () => {
  const scene = useWidgetScene();

  it('leads from a category and a choice to a link, with the directory’s labels', async () => {
    const { bot } = await buildActiveBot(scene.parley, {
      directory_config: {
        enabled: true,
        category_label: 'Harbour',
        choice_label: 'Mechanic',
        entries: [
          { category: 'North', name: 'Ada', link: 'https://book.example.com/ada' },
          { category: 'North', name: 'Grace', link: '' },
          { category: 'South', name: 'Linus', link: 'https://book.example.com/linus' },
        ],
      },
    });
    const visit = await scene.visits.visit(bot);
    await visit.open();
    assert.equal(await visit.button('Book a meeting').count(), 0);
    await visit.button('Mechanic').click();
    const category = visit.panel.getByLabel('Harbour');
    const choice = visit.panel.getByLabel('Mechanic', { exact: true }).and(visit.panel.locator('select'));
    assert.equal(await choice.isDisabled(), true);
    await category.selectOption('North');
    assert.deepEqual(await choice.locator('option').allTextContents(), ['Please choose', 'Ada', 'Grace']);
    await choice.selectOption('Ada');
    const link = visit.panel.getByRole('link', { name: 'Ada' });
    assert.equal(await link.getAttribute('href'), 'https://book.example.com/ada');
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
    await choice.selectOption('Grace');
    await visit.waitForText('No link available.');
    // Write the link to the database, because the API refuses to store such a link.
    const unsafe = { category: 'South', choice: 'Linus', link: 'javascript:alert(document.domain)' };
    await visit.page.route('**/directory/resolve', (route) => route.fulfill({ json: unsafe }));
    await category.selectOption('South');
    await choice.selectOption('Linus');
    await visit.waitForText('No link available.');
    assert.equal(await visit.panel.getByRole('link').count(), 0);
  });

  it('offers the choices of a directory without categories at once, and shows the link for the last choice', async () => {
    const { bot } = await buildActiveBot(scene.parley, {
      directory_config: {
        enabled: true,
        entries: [
          { name: 'Linus', link: 'mailto:linus@example.com' },
          { name: 'Ada', link: 'https://book.example.com/ada' },
          { name: 'Grace', link: 'https://book.example.com/grace' },
        ],
      },
    });
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.button('Specialist').click();
    assert.equal(await visit.panel.getByLabel('Location').count(), 0);
    const choice = visit.panel.locator('select#directory-choice');
    await choice.selectOption('Linus');
    assert.equal(await visit.panel.getByRole('link').getAttribute('href'), 'mailto:linus@example.com');
    const held: (() => void)[] = [];
    await visit.page.route('**/directory/resolve', async (route) => {
      if (route.request().postDataJSON().choice === 'Ada')
        await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await choice.selectOption('Ada');
    await choice.selectOption('Grace');
    await visit.panel.getByRole('link', { name: 'Grace' }).waitFor();
    const late = visit.page.waitForResponse('**/directory/resolve');
    for (const release of held) release();
    await late;
    await visit.page.waitForTimeout(100);
    assert.deepEqual(await visit.panel.getByRole('link').allTextContents(), ['Grace']);
  });

  it('lets onBook open the booking link, and opens the link itself if onBook does not return true', async () => {
    const { bot } = await buildActiveBot(scene.parley, {
      directory_config: {
        enabled: true,
        entries: [
          { category: 'North', name: 'Ada', link: 'https://book.example.com/ada' },
          { category: 'North', name: 'Grace', link: 'https://book.example.com/grace' },
        ],
      },
    });
    const html = `<script>
      window.booked = [];
      window.ParleySettings = {
        onBook: (choice) => { booked.push(choice); return choice?.choice === 'Ada'; },
      };
    </script>`;
    const visit = await scene.visits.visit(bot, { page: { html } });
    await visit.page
      .context()
      .route('https://book.example.com/**', (route) => route.fulfill({ body: 'Hello' }));
    await visit.open();
    await visit.button('Book a meeting').click();
    assert.deepEqual(await visit.page.evaluate('booked'), [null]);
    await visit.button('Specialist').click();
    await visit.panel.getByLabel('Location').selectOption('North');
    await visit.panel.locator('select#directory-choice').selectOption('Ada');
    await visit.panel.getByRole('link', { name: 'Ada' }).click();
    const link = 'https://book.example.com/ada';
    assert.deepEqual(await visit.page.evaluate('booked[1]'), { category: 'North', choice: 'Ada', link });
    assert.equal(visit.page.context().pages().length, 1);
    await visit.panel.locator('select#directory-choice').selectOption('Grace');
    const opened = visit.page.context().waitForEvent('page');
    await visit.panel.getByRole('link', { name: 'Grace' }).click();
    assert.equal((await opened).url(), 'https://book.example.com/grace');
  });
});
