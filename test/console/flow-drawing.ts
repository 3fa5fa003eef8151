import type { Locator, Page } from 'playwright-core';

/** Finds a step on the canvas of a flow. */
export const findBox = (page: Page, id: string): Locator =>
  page.locator(`.react-flow__node[data-id="${id}"]`);

/**
 * Drags with the mouse, from the middle of one element to that of another, once both have stopped
 * moving.
 */
export async function drag(page: Page, from: string, to: string): Promise<void> {
  const target = page.locator(to);
  await target.hover();
  const { x, y, width, height } = (await target.boundingBox())!;
  await page.locator(from).hover();
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
  await page.mouse.up();
}

/** Draws a line from a port of a step to another step. */
export async function drawEdge(page: Page, source: string, port: string, target: string): Promise<void> {
  await drag(
    page,
    `.react-flow__handle.source[data-nodeid="${source}"][data-handleid="${port}"]`,
    `.react-flow__handle.target[data-nodeid="${target}"]`,
  );
  await page.locator(`.react-flow__edge[data-id="${source} ${port}"]`).waitFor({ state: 'attached' });
}

/** Adds a step on the canvas of a flow. */
export async function addStep(page: Page, type: string, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add step', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
  await findBox(page, type).waitFor();
}
