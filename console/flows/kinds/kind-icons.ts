import book from '@tabler/icons-react/icons/IconBook';
import branch from '@tabler/icons-react/icons/IconGitBranch';
import calendar from '@tabler/icons-react/icons/IconCalendarEvent';
import directory from '@tabler/icons-react/icons/IconSitemap';
import form from '@tabler/icons-react/icons/IconForms';
import jump from '@tabler/icons-react/icons/IconArrowForward';
import message from '@tabler/icons-react/icons/IconMessage2';
import model from '@tabler/icons-react/icons/IconSparkles';
import person from '@tabler/icons-react/icons/IconUserShare';
import play from '@tabler/icons-react/icons/IconPlayerPlay';
import question from '@tabler/icons-react/icons/IconHelpCircle';
import request from '@tabler/icons-react/icons/IconWorldUp';
import stop from '@tabler/icons-react/icons/IconFlag';
import variable from '@tabler/icons-react/icons/IconVariable';
import type { ComponentType } from 'react';
import { createIcon, type IconProps } from '../../components/theme/icon.tsx';
import type { FlowNodeType } from '../graph/flow-draft.ts';

/** Color group of a step's icon, by what the step does for the visitor. */
export type StepTint = 'say' | 'ask' | 'answer' | 'decide' | 'act' | 'end';

/** Icon and color group of each type of flow step. */
export const kindIcons: Readonly<Record<FlowNodeType, { icon: ComponentType<IconProps>; tint: StepTint }>> = {
  start: { icon: createIcon(play), tint: 'end' },
  message: { icon: createIcon(message), tint: 'say' },
  question: { icon: createIcon(question), tint: 'ask' },
  knowledge_answer: { icon: createIcon(book), tint: 'answer' },
  model_answer: { icon: createIcon(model), tint: 'answer' },
  directory: { icon: createIcon(directory), tint: 'answer' },
  lead_form: { icon: createIcon(form), tint: 'ask' },
  booking: { icon: createIcon(calendar), tint: 'act' },
  condition: { icon: createIcon(branch), tint: 'decide' },
  set: { icon: createIcon(variable), tint: 'decide' },
  http_request: { icon: createIcon(request), tint: 'act' },
  handoff: { icon: createIcon(person), tint: 'act' },
  jump: { icon: createIcon(jump), tint: 'decide' },
  end: { icon: createIcon(stop), tint: 'end' },
};
