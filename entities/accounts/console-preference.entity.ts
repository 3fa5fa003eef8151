import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Flag, NullableText, Text, UpdatedAt } from '../../database/columns.ts';
import { User } from './user.entity.ts';

export const themes = ['light', 'dark', 'auto'] as const;
export type Theme = (typeof themes)[number];

/** A person's preferences for the console, on all devices. A person without a row has the defaults. */
@Entity('console_preferences')
@ForeignKey(() => User, ['userId'], ['id'], { name: 'fk_console_preferences_user_id', onDelete: 'CASCADE' })
export class ConsolePreference {
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'pk_console_preferences' })
  userId!: string;
  @Text('theme', { default: 'auto' }) theme!: Theme;
  /** IANA name of the time zone for the person's console; null for the time zone of the browser. */
  @NullableText('time_zone') timeZone!: string | null;
  /** Whether a browser notification announces a waiting visitor. */
  @Flag('notifies_waiting') notifiesWaiting!: boolean;
  /** Whether a browser notification announces an assigned conversation. */
  @Flag('notifies_assigned') notifiesAssigned!: boolean;
  /** Whether a browser notification announces a reply of a visitor. */
  @Flag('notifies_reply') notifiesReply!: boolean;
  /** Whether the console's notifications make a sound. */
  @Flag('notifies_by_sound') notifiesBySound!: boolean;
  /** Ids of workspaces in which the person has hidden the console's checklist of first steps. */
  @Column({ name: 'dismissed_in', type: 'uuid', array: true, default: () => "'{}'" }) dismissedIn!: string[];
  @UpdatedAt() updatedAt!: Date;
}
