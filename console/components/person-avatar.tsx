import { Avatar } from '@mantine/core';

const COLORS = ['indigo', 'grape', 'blue', 'violet', 'pink'];

export interface PersonAvatarProps {
  /** Name of the person; null for a visitor without a name. */
  name: string | null;
  size?: number;
}

/** Avatar with the initials of a person. The initials are decoration: the name is next to them. */
export function PersonAvatar({ name, size = 32 }: PersonAvatarProps) {
  const initials = name === null ? {} : { name, color: 'initials', allowedInitialsColors: COLORS };
  return (
    <Avatar {...initials} size={size} radius="50%" alt="" aria-hidden="true" className="person-avatar" />
  );
}
