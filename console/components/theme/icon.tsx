import type { ComponentType } from 'react';

export interface IconProps {
  size?: number;
}

type DrawnIcon = ComponentType<{ size: number; stroke: number; 'aria-hidden': boolean; className: string }>;

/** Gives an icon the size and stroke of the console. Icons are decoration: screen readers skip them. */
export function createIcon(Drawn: DrawnIcon): ComponentType<IconProps> {
  return function Icon({ size = 18 }) {
    return <Drawn size={size} stroke={1.75} aria-hidden className="icon" />;
  };
}
