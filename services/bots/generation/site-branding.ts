import { isUnreadable } from '../../../adapters/extraction/unreadable-document.ts';
import type { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { OutboundError } from '../../../adapters/http/outbound-error.ts';
import { reencodeAvatar, measureImage } from '../../../adapters/images/avatar-image.ts';
import { fetchPage } from '../../../adapters/web/fetch-page.ts';
import { readManifest, type PageStyle, type SiteIcon } from '../../../adapters/web/page-style.ts';
import { findColorsInThread } from '../../../adapters/web/page-tasks.ts';
import type { RobotsPolicy } from '../../../adapters/web/robots-policy.ts';
import { WebSourceError } from '../../../adapters/web/web-source-error.ts';
import { AppError } from '../../../core/errors/errors.ts';
import type { SiteColors } from '../../../core/bots/generation/site-theme.ts';

/** Site access rules and time limits that apply while a website is read. */
export interface SiteVisit {
  /** Id of the workspace that pays for the bot's workspace. */
  payerId: string;
  robots: RobotsPolicy;
  signal: AbortSignal;
  /** Time limit for reading each page or file of the website, in milliseconds. */
  timeoutMs: number;
}

/** Colors and icon of a website. A color or icon that could not be read is missing. */
export interface SiteBranding {
  colors: SiteColors;
  /** The website's icon, re-encoded by `reencodeAvatar`; null if none is suitable. */
  icon: Buffer | null;
}

const MAX_SHEETS = 2;
const SHEET_BYTES = 256 * 1024;
const ICON_BYTES = 1024 * 1024;
const MAX_ICONS = 2;
const MIN_ICON_PIXELS = 96;
/** Maximum size in bytes of a website's icon, which is stored in the draft's row for a day. */
const MAX_STORED_ICON_BYTES = 512 * 1024;
/** File extensions of icons in formats that cannot become avatars. */
const UNSUPPORTED_ICON = /\.(ico|svg|gif)$/i;

/** Reads a website's colors and icon, where the website's robots.txt allows this. */
export class SiteBrandingReader {
  readonly #outbound: OutboundClient;

  constructor(outbound: OutboundClient) {
    this.#outbound = outbound;
  }

  async read(style: PageStyle, visit: SiteVisit): Promise<SiteBranding> {
    const fetchText = async (url: string) =>
      (await this.#get(url, SHEET_BYTES, visit))?.toString('utf8') ?? '';
    const sheets: string[] = [style.css];
    for (const url of style.sheets.slice(0, MAX_SHEETS)) sheets.push(await fetchText(url));
    const manifest =
      style.manifest === null ? null : readManifest(await fetchText(style.manifest), style.manifest);
    const { named, used } = await extractColors(sheets.join('\n'), visit);
    const icons = rankIcons([...style.icons, ...(manifest?.icons ?? [])]);
    let icon: Buffer | null = null;
    for (const { url } of icons) icon ??= await drawIcon(await this.#get(url, ICON_BYTES, visit), visit);
    return { colors: { named: [style.themeColor, manifest?.color ?? '', ...named], used }, icon };
  }

  async #get(url: string, maxBytes: number, visit: SiteVisit): Promise<Buffer | null> {
    if (visit.signal.aborted) return null;
    try {
      return (await fetchPage(this.#outbound, url, { ...visit, maxBytes }))?.body ?? null;
    } catch (error) {
      if (error instanceof OutboundError || error instanceof WebSourceError) return null;
      throw error;
    }
  }
}

/** Extracts colors from a website's style sheets. Returns none if parsing takes too long. */
async function extractColors(css: string, visit: SiteVisit): ReturnType<typeof findColorsInThread> {
  try {
    return await findColorsInThread(css, visit);
  } catch (error) {
    if (isUnreadable(error)) return { named: [], used: [] };
    throw error;
  }
}

/** Returns a website's icons that are large enough, largest first, followed by icons of unknown size. */
function rankIcons(icons: readonly SiteIcon[]): SiteIcon[] {
  return icons
    .filter(
      ({ url, pixels }) =>
        (pixels === 0 || pixels >= MIN_ICON_PIXELS) && !UNSUPPORTED_ICON.test(new URL(url).pathname),
    )
    .toSorted((one, other) => other.pixels - one.pixels)
    .slice(0, MAX_ICONS);
}

async function drawIcon(file: Buffer | null, { payerId, signal }: SiteVisit): Promise<Buffer | null> {
  if (!file) return null;
  try {
    const { content } = await reencodeAvatar(file, { id: payerId, signal });
    const { width, height } = await measureImage(content);
    return Math.min(width, height) >= MIN_ICON_PIXELS && content.length <= MAX_STORED_ICON_BYTES
      ? content
      : null;
  } catch (error) {
    if (error instanceof AppError || signal.aborted) return null;
    throw error;
  }
}
