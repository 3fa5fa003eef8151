import { MarkdownView } from '../../browser/markdown-view.ts';
import type { MarkdownModule } from './contract.ts';

export const createTextView: MarkdownModule['createTextView'] = (renderCitation) =>
  new MarkdownView(renderCitation);
