import alert from '@tabler/icons-react/icons/IconAlertTriangle';
import check from '@tabler/icons-react/icons/IconCircleCheck';
import { createIcon } from '../components/theme/icon.tsx';

export const IconAlert = createIcon(alert);
export const IconCheck = createIcon(check);
