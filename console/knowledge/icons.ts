import download from '@tabler/icons-react/icons/IconDownload';
import text from '@tabler/icons-react/icons/IconAlignLeft';
import { createIcon } from '../components/theme/icon.tsx';

export const IconDownload = createIcon(download);
export const IconText = createIcon(text);
