import knowledgeStyles from '../knowledge/knowledge.css';
import botStyles from './bots.css';
import fieldStyles from './fields/fields.css';
import previewStyles from './preview/preview.css';
import studioStyles from './studio/studio.css';
import testStyles from './test/test.css';
import versionStyles from './versions/versions.css';
import { adoptStyles } from '../components/theme/adopt-styles.ts';

export { BotsPage } from './bots-page.tsx';
export { GeneratePage } from './generation/generate-page.tsx';
export { StudioPage } from './studio/studio-page.tsx';

adoptStyles(botStyles, fieldStyles, knowledgeStyles, previewStyles, studioStyles, testStyles, versionStyles);
