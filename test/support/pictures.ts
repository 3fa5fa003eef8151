import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** Folder for the documentation's screenshots. If it is undefined, tests take no screenshots. */
const folder = process.env['SCREENSHOTS'];
const GAP = 12;

/** Takes a screenshot for the documentation if `SCREENSHOTS` is set. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!folder) return;
  await sharp(await page.screenshot({ animations: 'disabled' }))
    .webp({ nearLossless: true, quality: 60, effort: 6 })
    .toFile(`${createPictureFolder()}/${name}.webp`);
}

/** Records several browser pages side by side as an animation for the documentation, if `SCREENSHOTS` is set. */
export class Recording {
  readonly #pages: readonly Page[];
  readonly #frames: Buffer[] = [];

  constructor(...pages: Page[]) {
    this.#pages = pages;
  }

  async addFrame(): Promise<void> {
    if (!folder) return;
    const shots = await Promise.all(this.#pages.map((page) => page.screenshot({ animations: 'disabled' })));
    const sizes = await Promise.all(shots.map((shot) => sharp(shot).metadata()));
    const width = sizes.reduce((sum, size) => sum + size.width + GAP, -GAP);
    const height = Math.max(...sizes.map((size) => size.height));
    let left = 0;
    const composed = shots.map((input, index) => {
      const placed = { input, left, top: 0 };
      left += (sizes[index]?.width ?? 0) + GAP;
      return placed;
    });
    const canvas = sharp({ create: { width, height, channels: 3, background: '#888' } });
    this.#frames.push(await canvas.composite(composed).png().toBuffer());
  }

  /** @param frameMs duration of each frame in milliseconds */
  async save(name: string, frameMs: number): Promise<void> {
    if (!folder) return;
    await sharp(this.#frames, { join: { animated: true } })
      .webp({ quality: 60, effort: 6, loop: 0, delay: this.#frames.map(() => frameMs) })
      .toFile(`${createPictureFolder()}/${name}.webp`);
  }
}

function createPictureFolder(): string {
  mkdirSync(folder ?? '', { recursive: true });
  return folder ?? '';
}
