/** Maximum number of skipped pages of a website that a crawl stores with their reasons. */
export const MAX_SKIPPED_PAGES = 50;
